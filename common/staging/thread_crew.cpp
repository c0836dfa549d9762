// SPDX-License-Identifier: Apache-2.0
#include "common/staging/thread_crew.hpp"

#include <algorithm>

#include "common/start_thread.hpp"

namespace copybench {
namespace {

// In ThreadCrew::at_work_: the job is over, nobody joins any more.
constexpr std::uint32_t closed = 0x8000'0000U;

}  // namespace

ThreadCrew::ThreadCrew(std::size_t threads, const std::function<void()>& begin)
    : at_work_(closed), helpers_(std::max<std::size_t>(threads, 1) - 1) {
  threads_.reserve(helpers_.size());
  try {
    for (std::size_t number = 0; number < helpers_.size(); ++number) {
      threads_.push_back(start_thread([this, number, begin] {
        begin();
        serve(number);
      }));
    }
  } catch (...) {
    // Those that have started are waited for, and nobody else tells them.
    quit();
    throw;
  }
}

ThreadCrew::~ThreadCrew() { quit(); }

void ThreadCrew::run(std::size_t helpers, const std::function<void()>& lead,
                     const std::function<void()>& help) {
  help_ = &help;
  wanted_ = std::min(helpers, helpers_.size());
  at_work_ = 0;
  order_next(0);
  try {
    lead();
  } catch (...) {
    dismiss();
    throw;
  }
  dismiss();
}

// They end at nearly the same time: falling asleep would take longer than what is left.
void ThreadCrew::dismiss() noexcept {
  at_work_.fetch_or(closed);
  while (at_work_ != closed) {
    std::this_thread::yield();
  }
}

bool ThreadCrew::join() noexcept {
  std::uint32_t seen = at_work_;
  while ((seen & closed) == 0) {
    if (at_work_.compare_exchange_weak(seen, seen + 1)) {
      return true;
    }
  }
  return false;
}

void ThreadCrew::leave() noexcept { at_work_.fetch_sub(1); }

void ThreadCrew::quit() noexcept {
  quitting_ = true;
  for (std::size_t number = 0; number < threads_.size(); ++number) {
    order(number);
  }
}

void ThreadCrew::order(std::size_t number) noexcept {
  helpers_[number].orders.fetch_add(1);
  helpers_[number].orders.notify_one();
}

// Waking a thread is a system call: those that are awake share it. As in a heap, the leader is the
// node 0 and helper n the node n + 1.
void ThreadCrew::order_next(std::size_t node) noexcept {
  for (std::size_t helper = 2 * node; helper <= 2 * node + 1 && helper < wanted_; ++helper) {
    order(helper);
  }
}

void ThreadCrew::serve(std::size_t number) {
  std::uint32_t seen = 0;
  for (;;) {
    helpers_[number].orders.wait(seen);
    seen = helpers_[number].orders;
    if (quitting_) {
      return;
    }
    // One that was ordered for an earlier job, and is late, may not be wanted for this one.
    if (join()) {
      if (number < wanted_) {
        order_next(number + 1);
        (*help_)();
      }
      leave();
    }
  }
}

}  // namespace copybench
