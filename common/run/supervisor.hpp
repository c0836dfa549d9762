// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <csignal>
#include <cstdint>
#include <functional>
#include <thread>

#include "common/measurement/clock.hpp"

namespace copybench {

/// A thread that waits for signals, and watches that what is in progress does progress. It calls
/// back from that thread, and only once.
class Supervisor {
 public:
  struct Callbacks {
    std::function<void(int signal)> on_signal;
    std::function<void()> on_stall;
  };

  /// `signals` are what hold_back_signals() returned.
  Supervisor(const sigset_t& signals, Nanoseconds watchdog, Callbacks callbacks);
  /// Ends the thread, once it is out of any callback.
  ~Supervisor() = default;
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;
  Supervisor(Supervisor&&) = delete;
  Supervisor& operator=(Supervisor&&) = delete;

  /// Between these two the watchdog is on. beat() is one addition.
  void begin_watch() noexcept;
  void beat() noexcept { beats_.fetch_add(1, std::memory_order_relaxed); }
  void end_watch() noexcept;

 private:
  void serve(const std::stop_token& stop);

  sigset_t signals_;
  Nanoseconds watchdog_;
  Callbacks callbacks_;
  std::atomic<std::uint64_t> beats_{0};
  std::atomic<bool> is_watching_{false};
  std::jthread thread_;
};

}  // namespace copybench
