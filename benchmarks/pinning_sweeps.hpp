// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/suite/axes.hpp"

namespace copybench {

/// The cases of pinning, question by question.
[[nodiscard]] std::vector<Sweep> pinning_sweeps();

}  // namespace copybench
