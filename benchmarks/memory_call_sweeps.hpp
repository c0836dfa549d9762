// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/suite/axes.hpp"

namespace copybench {

/// The cases of memory_call, question by question.
[[nodiscard]] std::vector<Sweep> memory_call_sweeps();

}  // namespace copybench
