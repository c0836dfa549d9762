// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/suite/axes.hpp"

namespace copybench {

[[nodiscard]] std::vector<Sweep> dependent_copy_load_sweeps();

}  // namespace copybench
