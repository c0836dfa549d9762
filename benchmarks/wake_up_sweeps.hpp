// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/suite/axes.hpp"

namespace copybench {

/// The cases of wake_up, question by question.
[[nodiscard]] std::vector<Sweep> wake_up_sweeps();

}  // namespace copybench
