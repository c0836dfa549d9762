// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <type_traits>

#include <cuda_runtime_api.h>

#include "common/cuda/stream.hpp"

namespace copybench {

/// How a thread waits in Event::sync(): burning its core, or sleeping until an interrupt
/// (cudaEventBlockingSync; the device's schedule flags do not matter here).
enum class EventWait { spin, block };

/// Owner of a CUDA event without timing: orders streams and tells when work is done.
class Event {
 public:
  explicit Event(EventWait wait = EventWait::spin);

  [[nodiscard]] cudaEvent_t get() const noexcept { return event_.get(); }

  void record(StreamView stream);
  /// Blocks the calling thread until the work before the last record() is done. Returns at once for
  /// an event that was never recorded: that is CUDA's rule, and a common source of stale reads.
  void sync() const;
  [[nodiscard]] bool is_done() const;

 private:
  struct Destroy {
    void operator()(cudaEvent_t event) const noexcept;
  };
  std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, Destroy> event_;
};

/// Makes later work in `stream` wait for `event`, without blocking the host.
void wait(StreamView stream, const Event& event);

}  // namespace copybench
