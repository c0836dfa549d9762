// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "common/measurement/clock.hpp"

namespace copybench {

/// How a host function wakes the worker, and the worker a caller who is in finish().
enum class Waking {
  /// Both sleep.
  condition_variable,
  /// The worker sleeps in the kernel as well, but no mutex is taken; the caller spins.
  atomic_wait,
  /// Both spin. The worker does from the start of a request on, which has to wake it.
  spin
};

/// How far a request of a WorkerChain is, and who is woken when that changes. Three threads look at
/// it and change it: the caller, the worker, and the one that calls the host function.
class WorkerState {
 public:
  enum class Step : std::uint32_t {
    idle,
    waiting_for_size,
    size_arrived,
    copying,
    enqueued,
    failed,
    quitting
  };

  /// A step and the request that it is of. Between two looks another request may have come, and
  /// "waiting for its size" is not the same then.
  class Seen {
   public:
    explicit Seen(std::uint32_t word) : word_(word) {}
    [[nodiscard]] Step step() const { return static_cast<Step>(word_ % steps); }
    [[nodiscard]] bool is_settled() const;
    /// Something for the worker to do: a size that has arrived, or the end.
    [[nodiscard]] bool is_work() const;
    [[nodiscard]] std::uint32_t word() const { return word_; }
    [[nodiscard]] std::uint32_t with(Step step) const {
      return word_ - word_ % steps + static_cast<std::uint32_t>(step);
    }

   private:
    std::uint32_t word_;
  };

  explicit WorkerState(Waking waking) : waking_(waking) {}

  [[nodiscard]] Waking waking() const noexcept { return waking_; }
  [[nodiscard]] Seen look() const { return Seen(word_); }

  /// The caller has a new request, which is idle.
  void next_request() { word_ += steps; }
  /// For whoever has the request: nobody else changes the step meanwhile.
  void enter(Step step) { (void)advance(look(), step); }
  /// Enters the step unless somebody has changed it since it was seen.
  [[nodiscard]] bool advance(Seen seen, Step to);

  /// The worker sleeps until there is work, or, where it is to spin, until there is something to
  /// spin for.
  [[nodiscard]] Seen wait_for_work();
  /// The caller sleeps, if a condition variable wakes it. Returns whether the request is settled.
  [[nodiscard]] bool sleep_until_settled(Nanoseconds at_most);

 private:
  static constexpr std::uint32_t steps = 8;

  void wake(Step step);

  Waking waking_;
  std::atomic<std::uint32_t> word_{0};
  // Held by whoever changes the step where a condition variable wakes; otherwise by nobody.
  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable settled_;
};

}  // namespace copybench
