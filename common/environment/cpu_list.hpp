// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace copybench {

/// The kernel's list format of CPUs and NUMA nodes, "0-3,8", as ascending numbers without repeats.
/// Nothing when the text is no such list or a number is above 65535.
[[nodiscard]] std::optional<std::vector<int>> parse_cpu_list(std::string_view text);

}  // namespace copybench
