// SPDX-License-Identifier: Apache-2.0
#include "common/measurement/clock.hpp"

#include <vector>

#include "common/measurement/statistics.hpp"

namespace copybench {

Nanoseconds measure_clock_cost() {
  constexpr std::size_t pairs = 2001;
  std::vector<Nanoseconds> costs;
  costs.reserve(pairs);
  for (std::size_t i = 0; i < pairs; ++i) {
    const TimePoint first = now();
    const TimePoint second = now();
    costs.push_back(second - first);
  }
  return summarize(costs).median;
}

void spin_until(TimePoint end) {
  while (now() < end) {
  }
}

}  // namespace copybench
