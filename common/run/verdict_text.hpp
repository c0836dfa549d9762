// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/run/verdict_table.hpp"

namespace copybench {

/// A block of aligned lines for each family, for people: the axes that vary as columns. Empty when
/// there is nothing to compare, which is a single size of a single group.
[[nodiscard]] std::string verdict_table_text(const VerdictTable& table);

}  // namespace copybench
