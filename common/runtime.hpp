// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace copybench {

/// Nothing where the program is linked to CUDA's own runtime. Otherwise what the simulated machine
/// is like; then no figure of this process is a measurement. Each of the two runtimes that a
/// program can be linked to brings its own definition.
[[nodiscard]] std::optional<std::string> simulated_machine();

}  // namespace copybench
