// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <deque>

#include "common/measurement/helper_thread.hpp"

namespace copybench {

/// Threads that keep every processor of the process busy but those of the measuring thread's core,
/// one on each. They are started with the object and sleep until start().
class BusyOtherCores {
 public:
  /// Throws CudaError when there is no device.
  BusyOtherCores();
  ~BusyOtherCores() { keep_busy_ = false; }
  BusyOtherCores(const BusyOtherCores&) = delete;
  BusyOtherCores& operator=(const BusyOtherCores&) = delete;
  BusyOtherCores(BusyOtherCores&&) = delete;
  BusyOtherCores& operator=(BusyOtherCores&&) = delete;

  /// Returns once all of them spin, until stop(). Harmless when they do already.
  void start();
  /// Harmless when they do not.
  void stop();
  /// How many there are between start() and stop().
  [[nodiscard]] std::size_t count() const noexcept { return spinning_; }

 private:
  std::atomic<bool> keep_busy_ = false;
  std::atomic<std::size_t> begun_ = 0;
  std::atomic<std::size_t> spinning_ = 0;
  // The last member: its jobs use the others.
  std::deque<HelperThread> threads_;
};

/// They are busy while it lives; nothing where there are none.
class BusyScope {
 public:
  explicit BusyScope(BusyOtherCores* cores) : cores_(cores) {
    if (cores_ != nullptr) {
      cores_->start();
    }
  }
  ~BusyScope() {
    if (cores_ != nullptr) {
      cores_->stop();
    }
  }
  BusyScope(const BusyScope&) = delete;
  BusyScope& operator=(const BusyScope&) = delete;
  BusyScope(BusyScope&&) = delete;
  BusyScope& operator=(BusyScope&&) = delete;

 private:
  BusyOtherCores* cores_;
};

}  // namespace copybench
