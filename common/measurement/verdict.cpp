// SPDX-License-Identifier: Apache-2.0
#include "common/measurement/verdict.hpp"

#include <algorithm>
#include <stdexcept>

namespace copybench {

Verdict judge_idle(Nanoseconds blocked, Nanoseconds completion) {
  return 5 * blocked >= 3 * completion ? Verdict::waits_for_copy : Verdict::async;
}

Verdict judge_busy(std::size_t returned_after_opening, std::size_t samples) {
  if (samples == 0) {
    throw std::invalid_argument("samples: none to judge by");
  }
  constexpr std::size_t fewest_to_forgive = 5;
  const std::size_t forgiven =
      samples < fewest_to_forgive ? 0 : std::max<std::size_t>(1, samples / 100);
  if (returned_after_opening <= forgiven) {
    return Verdict::async;
  }
  return returned_after_opening + forgiven >= samples ? Verdict::waits_for_queue : Verdict::mixed;
}

}  // namespace copybench
