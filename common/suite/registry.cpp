// SPDX-License-Identifier: Apache-2.0
#include "common/suite/registry.hpp"

#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

namespace copybench {

std::vector<SuiteCase> list_cases(const std::vector<Family>& families, Profile profile,
                                  const AxisChoice& choice) {
  std::vector<SuiteCase> cases;
  std::map<std::string, const Family*> owners;
  for (const Family& family : families) {
    for (const Sweep& sweep : family.sweeps) {
      for (AxisValues& values : expand(family.name, sweep, profile, choice)) {
        std::string name = values.name();
        const auto [owner, is_new] = owners.try_emplace(name, &family);
        if (owner->second != &family) {
          throw std::logic_error("two families have a case " + name);
        }
        if (is_new) {
          cases.push_back({&family, std::move(values), std::move(name)});
        }
      }
    }
  }
  return cases;
}

Selection select_cases(std::vector<SuiteCase> cases, const Device& device, FreeMemory free) {
  Selection selection;
  MemoryBudget budget(free);
  for (SuiteCase& suite_case : cases) {
    const auto& lacks = suite_case.family->lacks;
    const auto& needs = suite_case.family->memory_needs;
    std::optional<std::string> reason = lacks ? lacks(suite_case.values, device) : std::nullopt;
    if (!reason && needs) {
      reason = budget.admit(needs(suite_case.values));
    }
    if (reason) {
      selection.skipped.push_back({suite_case.name, *reason});
    } else {
      selection.runnable.push_back(std::move(suite_case));
    }
  }
  return selection;
}

}  // namespace copybench
