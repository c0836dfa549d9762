// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace copybench {

/// Threads that help the calling thread with a job. They sleep in between.
/// Not thread-safe: one thread gives the jobs.
class ThreadCrew {
 public:
  /// `threads` counts the calling thread: so many less one are started. Each first calls `begin`,
  /// which must not throw. Throws std::system_error where there is no thread to be had.
  ThreadCrew(std::size_t threads, const std::function<void()>& begin);
  ~ThreadCrew();
  ThreadCrew(const ThreadCrew&) = delete;
  ThreadCrew& operator=(const ThreadCrew&) = delete;
  ThreadCrew(ThreadCrew&&) = delete;
  ThreadCrew& operator=(ThreadCrew&&) = delete;

  /// The calling thread among them.
  [[nodiscard]] std::size_t size() const noexcept { return helpers_.size() + 1; }

  /// Calls `lead` in this thread and, at the same time, `help` in up to `helpers` others, and
  /// returns when all that were called have returned. A sleeper takes 40 to 200 us to wake, and
  /// one that has not by the end of `lead` is not waited for: `lead` must get along without.
  /// Allocates nothing. `helpers` may be more than there are. `help` must not throw and must
  /// return when `lead` has returned or thrown; what `lead` throws, this does.
  void run(std::size_t helpers, const std::function<void()>& lead,
           const std::function<void()>& help);

 private:
  struct Helper {
    // Counts what this one was told, so that it knows a new order from the last one.
    std::atomic<std::uint32_t> orders{0};
  };

  void serve(std::size_t number);
  void order(std::size_t number) noexcept;
  void order_next(std::size_t node) noexcept;
  bool join() noexcept;
  void leave() noexcept;
  void dismiss() noexcept;
  void quit() noexcept;

  const std::function<void()>* help_ = nullptr;
  // How many of the helpers the job is for.
  std::atomic<std::size_t> wanted_{0};
  // How many helpers are at work, and whether more may join them.
  std::atomic<std::uint32_t> at_work_;
  std::atomic<bool> quitting_{false};
  std::vector<Helper> helpers_;
  std::vector<std::jthread> threads_;
};

}  // namespace copybench
