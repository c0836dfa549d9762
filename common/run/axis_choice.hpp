// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/suite/axes.hpp"
#include "common/suite/family.hpp"

namespace copybench {

/// 4096 for "4096" and for "4KiB"; KiB, MiB and GiB are known. Nothing for anything else.
[[nodiscard]] std::optional<std::uint64_t> parse_size(std::string_view text);

/// Reads the values of --copybench_axis, KEY:VALUE[,VALUE...] each. Throws UsageError for a key
/// that no family has, and for a value that no family has on a closed axis or that is out of range
/// (up to 4 GiB) on a numeric one; both list what there is.
[[nodiscard]] AxisChoice parse_axis_choice(std::span<const std::string> texts,
                                           const std::vector<Family>& families);

}  // namespace copybench
