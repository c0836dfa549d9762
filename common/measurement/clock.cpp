// SPDX-License-Identifier: Apache-2.0
#include "common/measurement/clock.hpp"

#include <ctime>
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

Nanoseconds thread_cpu_time() {
  timespec time{};
  (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + Nanoseconds(time.tv_nsec);
}

void spin_until(TimePoint end) {
  while (now() < end) {
  }
}

}  // namespace copybench
