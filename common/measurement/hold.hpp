// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "common/measurement/clock.hpp"

namespace copybench {

/// How long to keep a gate closed beside a call, so that one that is merely long is back before the
/// gate opens and does not look like one that waits for it: `least`, doubled until it is at least
/// one and a half times the shortest of three calls. `time_call` makes one with no gate closed, and
/// returns how long it took.
template <typename TimeCall>
[[nodiscard]] Nanoseconds hold_beyond(Nanoseconds least, const TimeCall& time_call) {
  Nanoseconds shortest = Nanoseconds::max();
  for (int i = 0; i < 3; ++i) {
    shortest = std::min<Nanoseconds>(shortest, time_call());
  }
  Nanoseconds hold = least;
  while (2 * hold < 3 * shortest) {
    hold *= 2;
  }
  return hold;
}

}  // namespace copybench
