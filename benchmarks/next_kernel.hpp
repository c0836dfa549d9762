// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "common/chaining/size_arrival.hpp"
#include "common/measurement/clock.hpp"
#include "common/measurement/helper_thread.hpp"

namespace copybench {

/// A kernel whose first act is seen on the host's clock: it loads a word and stores it to mapped
/// host memory, where a thread of its own spins for it. No clock of the device is involved.
///
///     next.watch(stream);
///     next.launch(stream, word);
///     const TimePoint started = next.started();
class NextKernel {
 public:
  ~NextKernel() { abandoned_ = true; }
  NextKernel() = default;
  NextKernel(const NextKernel&) = delete;
  NextKernel& operator=(const NextKernel&) = delete;
  NextKernel(NextKernel&&) = delete;
  NextKernel& operator=(NextKernel&&) = delete;

  /// Returns once the thread spins, so that its wake-up is in no measurement.
  void watch(StreamView stream);
  void launch(StreamView stream, const std::int32_t* word);
  /// Waits until the kernel that was launched last has started. Throws CudaError when work in front
  /// of it has failed.
  [[nodiscard]] TimePoint started();

 private:
  void look(StreamView stream);

  MappedArrival mark_;
  std::atomic<bool> watching_ = false;
  // The kernel that is watched for is the one that was launched last.
  std::atomic<bool> launched_ = false;
  std::atomic<bool> abandoned_ = false;
  TimePoint seen_{};
  // The last member: its job uses the others.
  HelperThread thread_;
};

}  // namespace copybench
