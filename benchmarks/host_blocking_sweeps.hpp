// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/suite/axes.hpp"

namespace copybench {

/// The cases of host_blocking, question by question.
[[nodiscard]] std::vector<Sweep> host_blocking_sweeps();

}  // namespace copybench
