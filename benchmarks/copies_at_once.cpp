// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/copies_at_once.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace copybench {

CopiesAtOnce::CopiesAtOnce(std::vector<StreamedCopy> copies, std::size_t threads)
    : copies_(std::move(copies)), ends_(threads), helpers_(threads - 1) {}

void CopiesAtOnce::make(const StreamedCopy& copy) const {
  copy_async(copy.destination.data, copy.source.data, copy.source.bytes, copy.direction,
             copy.stream);
}

Nanoseconds CopiesAtOnce::time_alone() const {
  Nanoseconds sum{0};
  for (const StreamedCopy& copy : copies_) {
    const TimePoint begin = now();
    make(copy);
    copy.stream.sync();
    sum += now() - begin;
  }
  return sum;
}

void CopiesAtOnce::make_those_of(std::size_t thread) {
  for (std::size_t i = thread; i < copies_.size(); i += ends_.size()) {
    make(copies_[i]);
  }
  for (std::size_t i = thread; i < copies_.size(); i += ends_.size()) {
    copies_[i].stream.sync();
  }
  ends_[thread] = now();
}

Nanoseconds CopiesAtOnce::time_together() {
  std::atomic<std::size_t> arrived = 0;
  start_helpers(arrived);
  while (arrived < helpers_.size()) {
  }
  const TimePoint begin = now();
  // Lets them go: the wake-up of a thread is no part of a copy.
  ++arrived;
  std::exception_ptr failure;
  try {
    make_those_of(0);
  } catch (...) {
    failure = std::current_exception();
  }
  join_helpers();
  if (failure) {
    std::rethrow_exception(failure);
  }
  return *std::ranges::max_element(ends_) - begin;
}

void CopiesAtOnce::start_helpers(std::atomic<std::size_t>& arrived) {
  for (std::size_t thread = 1; thread < ends_.size(); ++thread) {
    helpers_[thread - 1].start([this, thread, &arrived] {
      ++arrived;
      while (arrived < ends_.size()) {
      }
      make_those_of(thread);
    });
  }
}

// All of them, before the first failure is passed on: what they count in is the caller's.
void CopiesAtOnce::join_helpers() {
  std::exception_ptr failure;
  for (HelperThread& helper : helpers_) {
    try {
      helper.join_job();
    } catch (...) {
      failure = std::current_exception();
    }
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
}

}  // namespace copybench
