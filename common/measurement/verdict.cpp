// SPDX-License-Identifier: Apache-2.0
#include "common/measurement/verdict.hpp"

namespace copybench {

Verdict judge_idle(Nanoseconds blocked, Nanoseconds completion) {
  return 5 * blocked >= 3 * completion ? Verdict::waits_for_copy : Verdict::async;
}

Verdict judge_busy(std::size_t returned_after_opening, std::size_t samples) {
  return 2 * returned_after_opening >= samples ? Verdict::waits_for_queue : Verdict::async;
}

}  // namespace copybench
