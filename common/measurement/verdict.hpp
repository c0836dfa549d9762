// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "common/measurement/clock.hpp"

namespace copybench {

/// What a call made its thread wait for. A row has one queue state, so it can show only some of
/// them:
///   async            the call returned early: on a busy queue before the gate opened, on an idle
///   one
///                    well before the copy was complete
///   waits_for_copy   on an idle queue, the call took most of the copy's time
///   waits_for_queue  behind a gate, the call returned only after the gate had been opened
enum class Verdict { async, waits_for_copy, waits_for_queue };

inline constexpr std::array<std::string_view, 3> verdict_names{"async", "waits_for_copy",
                                                               "waits_for_queue"};

/// Most means at least three fifths. Not half: a pageable copy of 64 KiB to the device, where calls
/// begin to last as long as their staging, sits at half and would change its verdict from run to
/// run.
[[nodiscard]] Verdict judge_idle(Nanoseconds blocked, Nanoseconds completion);

/// `returned_after_opening` of `samples` calls came back only once the gate was open.
[[nodiscard]] Verdict judge_busy(std::size_t returned_after_opening, std::size_t samples);

}  // namespace copybench
