// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/cuda/stream.hpp"
#include "common/measurement/clock.hpp"

namespace copybench {

/// What a thread does between two looks at something that another thread or the device changes.
class SpinPause {
 public:
  /// Leaves the core to its sibling for a moment; every 64th time to any other thread, so that more
  /// spinning threads than processors get on.
  void pause();

 protected:
  [[nodiscard]] bool is_round() const noexcept { return count_ % yield_every == 0; }

 private:
  static constexpr unsigned yield_every = 64;
  unsigned count_ = 0;
};

/// The same for a thread that waits for a stream: work that has failed changes nothing any more.
class Polling : private SpinPause {
 public:
  explicit Polling(StreamView stream) : stream_(stream) {}

  /// Throws CudaError within some ten milliseconds of a failure.
  void pause();

 private:
  StreamView stream_;
  TimePoint look_ = now() + look_every;

  static constexpr Nanoseconds look_every = std::chrono::milliseconds(10);
};

}  // namespace copybench
