// SPDX-License-Identifier: Apache-2.0
#include "common/staging/thread_crew.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace copybench {

ThreadCrew::ThreadCrew(std::size_t threads, const std::function<void()>& begin)
    : members_(std::max<std::size_t>(threads, 1)) {
  threads_.reserve(size() - 1);
  try {
    for (std::size_t number = 1; number < size(); ++number) {
      threads_.emplace_back([this, number] { serve(members_[number], number); });
    }
    run(size(), [&](std::size_t number) {
      if (number > 0) {
        begin();
      }
    });
  } catch (...) {
    // Those that have started are waited for, and nobody else tells them.
    quit();
    throw;
  }
}

ThreadCrew::~ThreadCrew() { quit(); }

void ThreadCrew::run(std::size_t members, const Job& job) {
  job_ = &job;
  working_ = static_cast<std::uint32_t>(members - 1);
  for (std::size_t number = 1; number < members; ++number) {
    order(members_[number]);
  }
  do_job(0);
  wait_for_others();
  rethrow_failure();
}

void ThreadCrew::do_job(std::size_t number) noexcept {
  try {
    (*job_)(number);
  } catch (...) {
    members_[number].failure = std::current_exception();
  }
}

// They end at nearly the same time: falling asleep would take longer than what is left.
void ThreadCrew::wait_for_others() const noexcept {
  using std::chrono_literals::operator""us;
  const auto patience = std::chrono::steady_clock::now() + 200us;
  while (working_ != 0 && std::chrono::steady_clock::now() < patience) {
    std::this_thread::yield();
  }
  for (std::uint32_t left = working_; left != 0; left = working_) {
    working_.wait(left);
  }
}

void ThreadCrew::rethrow_failure() {
  std::exception_ptr first;
  for (Member& member : members_) {
    std::exception_ptr failure = std::exchange(member.failure, nullptr);
    first = first ? first : std::move(failure);
  }
  if (first) {
    std::rethrow_exception(first);
  }
}

void ThreadCrew::quit() noexcept {
  quitting_ = true;
  std::ranges::for_each(members_, order);
}

void ThreadCrew::order(Member& member) noexcept {
  member.orders.fetch_add(1);
  member.orders.notify_one();
}

void ThreadCrew::serve(Member& member, std::size_t number) {
  for (std::uint32_t seen = 0;; ++seen) {
    member.orders.wait(seen);
    if (quitting_) {
      return;
    }
    do_job(number);
    if (working_.fetch_sub(1) == 1) {
      working_.notify_one();
    }
  }
}

}  // namespace copybench
