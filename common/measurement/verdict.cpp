// SPDX-License-Identifier: Apache-2.0
#include "common/measurement/verdict.hpp"

namespace copybench {

Verdict judge_idle(Nanoseconds blocked, Nanoseconds completion) {
  return 5 * blocked >= 3 * completion ? Verdict::waits_for_copy : Verdict::async;
}

Verdict judge_busy(std::size_t returned_after_opening, std::size_t samples) {
  if (100 * returned_after_opening <= samples) {
    return Verdict::async;
  }
  return 100 * returned_after_opening >= 99 * samples ? Verdict::waits_for_queue : Verdict::mixed;
}

}  // namespace copybench
