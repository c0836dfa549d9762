// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <thread>
#include <vector>

namespace copybench {

/// Other load: a thread that computes for each processor of the process, that of the measuring
/// thread among them. They sleep but between start() and stop().
class BusyCores {
 public:
  explicit BusyCores(std::size_t threads);
  ~BusyCores();
  BusyCores(const BusyCores&) = delete;
  BusyCores& operator=(const BusyCores&) = delete;
  BusyCores(BusyCores&&) = delete;
  BusyCores& operator=(BusyCores&&) = delete;

  void start() { enter(State::computing); }
  void stop() { enter(State::asleep); }

 private:
  enum class State : int { asleep, computing, quitting };

  void enter(State state);
  void serve();

  std::atomic<State> state_{State::asleep};
  std::vector<std::jthread> threads_;
};

/// Busy while it lives.
class BusyScope {
 public:
  explicit BusyScope(BusyCores& cores) : cores_(cores) { cores_.start(); }
  ~BusyScope() { cores_.stop(); }
  BusyScope(const BusyScope&) = delete;
  BusyScope& operator=(const BusyScope&) = delete;
  BusyScope(BusyScope&&) = delete;
  BusyScope& operator=(BusyScope&&) = delete;

 private:
  BusyCores& cores_;
};

}  // namespace copybench
