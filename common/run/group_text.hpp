// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/run/row_group.hpp"

namespace copybench {

/// In the largest unit that divides it, "64 KiB", unless that leaves a number which is no easier to
/// read.
[[nodiscard]] std::string size_text(std::uint64_t bytes);

/// A line of a table, and what stands in its columns behind the axes.
struct GroupLine {
  RowGroup group;
  std::vector<std::string> cells;
};

/// An empty line and a block of aligned ones: the title with the axes that are the same everywhere
/// in brackets, the headings, and the lines in the order of their axes, of which those that vary
/// are columns. The lines are of one family and at least one; each has a cell for every heading.
[[nodiscard]] std::string group_table_text(const std::string& title,
                                           const std::vector<std::string>& headings,
                                           const std::vector<GroupLine>& lines);

}  // namespace copybench
