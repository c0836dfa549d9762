// SPDX-License-Identifier: Apache-2.0
#include "common/measurement/clock.hpp"

#include <ctime>
#include <vector>

#include "common/measurement/statistics.hpp"

namespace copybench {
namespace {

Nanoseconds read_clock(clockid_t clock) {
  timespec time{};
  (void)clock_gettime(clock, &time);
  return std::chrono::seconds(time.tv_sec) + Nanoseconds(time.tv_nsec);
}

}  // namespace

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

Nanoseconds thread_cpu_time() { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

Nanoseconds process_cpu_time() { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

void spin_until(TimePoint end) {
  while (now() < end) {
  }
}

}  // namespace copybench
