// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "common/suite/axes.hpp"
#include "common/suite/family.hpp"
#include "common/suite/memory_budget.hpp"

namespace copybench {

/// One case. `family` points into the families that it was listed from.
struct SuiteCase {
  const Family* family;
  AxisValues values;
  std::string name;
};

/// A case that this machine cannot run, and why, in one line.
struct SkippedCase {
  std::string name;
  std::string reason;
};

struct Selection {
  std::vector<SuiteCase> runnable;
  std::vector<SkippedCase> skipped;
};

/// All cases of a profile, in the order of the tables. A case that two sweeps of a family share is
/// listed once, where it comes first. Throws std::logic_error when two families share a name: a
/// fault in a table.
[[nodiscard]] std::vector<SuiteCase> list_cases(const std::vector<Family>& families,
                                                Profile profile, const AxisChoice& choice);

/// Sorts out what the device lacks something for, and what does not fit into the memory that is
/// free.
[[nodiscard]] Selection select_cases(std::vector<SuiteCase> cases, const Device& device,
                                     FreeMemory free);

}  // namespace copybench
