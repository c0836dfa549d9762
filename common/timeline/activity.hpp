// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/measurement/clock.hpp"

namespace copybench {

/// What was recorded: a call of the runtime, on the thread that made it, or what a stream did.
enum class ActivityKind { call, kernel, copy, fill, host_function };

/// One of them, from its beginning to its end. All times are of one clock, whichever the recorder
/// has.
struct Activity {
  ActivityKind kind = ActivityKind::call;
  /// The function of the runtime, the kernel, "copy to host" and the like.
  std::string name{};
  /// The system's number of the thread that made the call, or the runtime's of the stream.
  std::uint64_t place = 0;
  Nanoseconds begin{};
  Nanoseconds end{};
  /// The same for a call and for what it enqueued; 0 where that is not known.
  std::uint64_t correlation = 0;
  /// Of a copy or a fill.
  std::size_t bytes = 0;
};

/// Records what the process does with the runtime, on all threads and in all streams. The process
/// can have one. It makes every call longer.
class ActivityRecorder {
 public:
  ActivityRecorder() = default;
  virtual ~ActivityRecorder() = default;
  ActivityRecorder(const ActivityRecorder&) = delete;
  ActivityRecorder& operator=(const ActivityRecorder&) = delete;
  ActivityRecorder(ActivityRecorder&&) = delete;
  ActivityRecorder& operator=(ActivityRecorder&&) = delete;

  /// This moment, on the clock of the activities.
  [[nodiscard]] virtual Nanoseconds time() noexcept = 0;
  /// What has ended since the last time, in no particular order. Only for drained streams: what is
  /// still under way may be missing, now and later. May throw std::runtime_error.
  [[nodiscard]] virtual std::vector<Activity> take() = 0;
};

using MakeActivityRecorder = std::unique_ptr<ActivityRecorder> (*)();

/// Set before main() in programs that are built with CUPTI or linked to the simulated runtime, and
/// null in the others. May throw std::runtime_error.
inline MakeActivityRecorder make_activity_recorder = nullptr;

}  // namespace copybench
