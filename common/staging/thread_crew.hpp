// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace copybench {

/// Threads that do a job together, the calling thread being one of them. They sleep in between.
/// Not thread-safe: one thread gives the jobs.
class ThreadCrew {
 public:
  /// Called once for each member that takes part, with its number.
  using Job = std::function<void(std::size_t member)>;

  /// A crew of `threads`, at least one: so many less one are started. Each of those first calls
  /// `begin`; what that throws, this does, and std::system_error where there is no thread to be
  /// had.
  ThreadCrew(std::size_t threads, const std::function<void()>& begin);
  ~ThreadCrew();
  ThreadCrew(const ThreadCrew&) = delete;
  ThreadCrew& operator=(const ThreadCrew&) = delete;
  ThreadCrew(ThreadCrew&&) = delete;
  ThreadCrew& operator=(ThreadCrew&&) = delete;

  [[nodiscard]] std::size_t size() const noexcept { return members_.size(); }

  /// Calls job(0) in this thread and job(1) to job(members - 1) in others, and returns when all of
  /// them have returned. `members` is 1 to size(). Allocates nothing. Throws what the member with
  /// the lowest number has thrown.
  void run(std::size_t members, const Job& job);

 private:
  struct Member {
    // Counts what this member was told, so that it knows a new order from the last one.
    std::atomic<std::uint32_t> orders{0};
    std::exception_ptr failure;
  };

  void serve(Member& member, std::size_t number);
  void do_job(std::size_t number) noexcept;
  void wait_for_others() const noexcept;
  void quit() noexcept;
  static void order(Member& member) noexcept;
  void rethrow_failure();

  const Job* job_ = nullptr;
  std::atomic<std::uint32_t> working_{0};
  std::atomic<bool> quitting_{false};
  std::vector<Member> members_;
  std::vector<std::jthread> threads_;
};

}  // namespace copybench
