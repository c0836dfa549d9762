// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/run/row_group.hpp"

namespace copybench {

/// One finished repetition of a case.
struct CountedRow {
  /// "family/key:value/key:value".
  std::string_view name;
  /// The counter break_even_counter, if it has one.
  std::optional<double> copies;
  bool failed = false;
};

struct BreakEvenSize {
  std::uint64_t bytes = 0;
  /// From how many copies on it pays: a number from 1, or never_breaks_even. Nothing where all rows
  /// failed.
  std::optional<std::uint64_t> copies;
};

struct BreakEvenGroup : RowGroup {
  /// In rising order, never none.
  std::vector<BreakEvenSize> sizes;
};

using BreakEvenTable = std::vector<BreakEvenGroup>;

/// From the rows that have the counter and whose case has an axis "bytes"; of the others, those
/// that failed count where no row of their size has it. A group without any counter is left out.
/// Groups are in the order in which they first appear. Of several repetitions the number is the
/// least one at which more than half of them say that it pays.
[[nodiscard]] BreakEvenTable make_break_even_table(std::span<const CountedRow> rows);

/// A JSON array, for the context of a result.
[[nodiscard]] std::string break_even_table_json(const BreakEvenTable& table);

/// A block of aligned lines for each family, for people: the sizes as columns. Empty when there is
/// nothing to compare, which is a single size of a single group.
[[nodiscard]] std::string break_even_table_text(const BreakEvenTable& table);

}  // namespace copybench
