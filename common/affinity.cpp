// SPDX-License-Identifier: Apache-2.0
#include "common/affinity.hpp"

#include <cstddef>
#include <sched.h>

namespace copybench {

std::vector<int> allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) {
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &set)) {
        cpus.push_back(static_cast<int>(cpu));
      }
    }
  }
  return cpus;
}

bool run_on(const std::vector<int>& cpus) noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) {
    CPU_SET(static_cast<std::size_t>(cpu), &set);
  }
  return !cpus.empty() && sched_setaffinity(0, sizeof(set), &set) == 0;
}

bool may_run_on(const std::vector<int>& cpus) {
  const std::vector<int> before = allowed_cpus();
  const bool may = run_on(cpus);
  (void)run_on(before);
  return may;
}

}  // namespace copybench
