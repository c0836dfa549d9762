// SPDX-License-Identifier: Apache-2.0
#include "common/run/cpu_policy.hpp"

#include <algorithm>
#include <sched.h>
#include <stdexcept>
#include <vector>

#include "common/affinity.hpp"
#include "common/environment/text.hpp"

namespace copybench {

CpuPolicy parse_cpu_policy(std::string_view text) {
  if (text == "quiet") {
    return {CpuPolicy::Kind::quiet};
  }
  if (text == "any") {
    return {CpuPolicy::Kind::any};
  }
  const std::vector<int> allowed = allowed_cpus();
  const auto cpu = parse_number<int>(text);
  if (!cpu || std::ranges::find(allowed, *cpu) == allowed.end()) {
    throw std::invalid_argument("quiet, any, or the number of a processor that may be used here");
  }
  return {CpuPolicy::Kind::fixed, *cpu};
}

std::string to_string(const CpuPolicy& policy) {
  switch (policy.kind) {
    case CpuPolicy::Kind::quiet:
      return "quiet";
    case CpuPolicy::Kind::any:
      return "any";
    case CpuPolicy::Kind::fixed:
      break;
  }
  return std::to_string(policy.cpu);
}

void CpuPlacement::settle() {
  switch (policy_.kind) {
    case CpuPolicy::Kind::quiet:
      quiet_.settle();
      return;
    case CpuPolicy::Kind::any:
      return;
    case CpuPolicy::Kind::fixed:
      if (!run_on({policy_.cpu})) {
        throw std::runtime_error("the system refuses processor " + std::to_string(policy_.cpu));
      }
      return;
  }
}

bool CpuPlacement::is_undisturbed() const {
  return policy_.kind != CpuPolicy::Kind::quiet || quiet_.is_quiet();
}

int CpuPlacement::current() noexcept { return sched_getcpu(); }

}  // namespace copybench
