// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/worker_state.hpp"

namespace copybench {

bool WorkerState::Seen::is_settled() const {
  return step() == Step::enqueued || step() == Step::failed || step() == Step::idle;
}

bool WorkerState::Seen::is_work() const {
  return step() == Step::size_arrived || step() == Step::quitting;
}

bool WorkerState::advance(Seen seen, Step to) {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (waking_ == Waking::condition_variable) {
    lock.lock();
  }
  std::uint32_t expected = seen.word();
  if (!word_.compare_exchange_strong(expected, seen.with(to))) {
    return false;
  }
  if (lock.owns_lock()) {
    lock.unlock();
  }
  wake(to);
  return true;
}

void WorkerState::wake(Step step) {
  const bool is_work = step == Step::size_arrived || step == Step::quitting;
  if (waking_ == Waking::condition_variable) {
    if (is_work) {
      work_.notify_one();
    } else if (step == Step::enqueued || step == Step::failed) {
      settled_.notify_one();
    }
    return;
  }
  // A caller who waits spins.
  if (is_work || (step == Step::waiting_for_size && waking_ == Waking::spin)) {
    word_.notify_one();
  }
}

WorkerState::Seen WorkerState::wait_for_work() {
  if (waking_ == Waking::condition_variable) {
    std::unique_lock lock(mutex_);
    work_.wait(lock, [this] { return look().is_work(); });
    return look();
  }
  const auto is_enough = [this](Seen seen) {
    return seen.is_work() || (waking_ == Waking::spin && seen.step() == Step::waiting_for_size);
  };
  Seen seen = look();
  while (!is_enough(seen)) {
    word_.wait(seen.word());
    seen = look();
  }
  return seen;
}

bool WorkerState::sleep_until_settled(Nanoseconds at_most) {
  std::unique_lock lock(mutex_);
  return settled_.wait_for(lock, at_most, [this] { return look().is_settled(); });
}

}  // namespace copybench
