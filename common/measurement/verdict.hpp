// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "common/measurement/clock.hpp"

namespace copybench {

/// What a call made its thread wait for. A row has one queue state, so it can show only some of
/// them.
enum class Verdict {
  /// The call returned early: on a busy queue before the gate opened, on an idle one well before
  /// the
  /// copy was complete.
  async,
  /// On an idle queue, the call took most of the copy's time.
  waits_for_copy,
  /// Behind a gate, the call returned only after the gate had been opened.
  waits_for_queue,
  /// Behind a gate, some calls waited and some did not.
  mixed
};

inline constexpr std::array<std::string_view, 4> verdict_names{"async", "waits_for_copy",
                                                               "waits_for_queue", "mixed"};

/// Most means at least three fifths. Not half: a pageable copy of 64 KiB to the device, where calls
/// begin to last as long as their staging, sits at half and would change its verdict from run to
/// run.
[[nodiscard]] Verdict judge_idle(Nanoseconds blocked, Nanoseconds completion);

/// `returned_after_opening` of `samples` calls came back only once the gate was open. One in a
/// hundred is forgiven either way, and one where there are fewer: a thread that was not scheduled
/// for as long as the gate is held. Of fewer than 5 samples none is: one would be a large part of
/// them. Throws std::invalid_argument when there are no samples.
[[nodiscard]] Verdict judge_busy(std::size_t returned_after_opening, std::size_t samples);

}  // namespace copybench
