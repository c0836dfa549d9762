// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/suite/axes.hpp"

namespace copybench {

/// The table of cases of the family small_arrays.
[[nodiscard]] std::vector<Sweep> small_arrays_sweeps();

}  // namespace copybench
