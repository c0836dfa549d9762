// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/timeline/activity.hpp"

namespace copybench {

/// The activities of one thread or of one stream.
struct Lane {
  std::string name;
  bool is_thread = true;
  /// The system's number of the thread, or the runtime's of the stream.
  std::uint64_t id = 0;
  /// By their beginning. Times count from the beginning of the timeline, and what reaches past an
  /// end of it is cut off there.
  std::vector<Activity> activities{};
};

/// What threads and streams did in one sample of a case.
struct Timeline {
  /// The name of the case.
  std::string name{};
  /// Drawn from no real machine.
  bool simulated = false;
  Nanoseconds span{};
  /// The calling thread, the other threads and then the streams, each by its number.
  std::vector<Lane> lanes{};
};

/// What was recorded of a sample, and when it was taken.
struct RecordedSample {
  std::vector<Activity> activities{};
  Nanoseconds begin{};
  Nanoseconds end{};
  /// The thread that took the sample.
  std::uint64_t calling_thread = 0;
};

/// Threads and streams that did nothing meanwhile have no lane, but for the calling thread.
[[nodiscard]] Timeline make_timeline(std::string name, bool simulated,
                                     const RecordedSample& sample);

/// Whether the thread waits in this call: it is one that synchronises, or lasts for a tenth of the
/// timeline or more.
[[nodiscard]] bool is_waiting(const Activity& activity, const Timeline& timeline);

/// Kernel launches of all threads, in order: the n-th correlation is that of launch n + 1.
[[nodiscard]] std::vector<std::uint64_t> launches(const Timeline& timeline);

}  // namespace copybench
