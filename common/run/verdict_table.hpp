// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/run/row_group.hpp"

namespace copybench {

/// One finished repetition of a case.
struct LabelledRow {
  /// "family/key:value/key:value".
  std::string_view name;
  std::string_view label;
  bool failed = false;
};

/// Neighbouring sizes, of those that were measured, with the same verdict.
struct VerdictRange {
  std::uint64_t from_bytes;
  std::uint64_t to_bytes;
  /// One of verdict_names, or "failed".
  std::string verdict;
};

struct VerdictGroup : RowGroup {
  /// By size, never none, no two neighbours alike.
  std::vector<VerdictRange> changes;
};

using VerdictTable = std::vector<VerdictGroup>;

/// From the rows whose label is a verdict and whose case has an axis "bytes"; of the others, those
/// that failed count where there is no such row of their size, which then has the verdict "failed".
/// A group without any verdict is left out. Groups are in the order in which they first appear. The
/// verdict of a size is that of more than half of its repetitions, and "mixed" where there is none.
[[nodiscard]] VerdictTable make_verdict_table(std::span<const LabelledRow> rows);

/// A JSON array, for the context of a result.
[[nodiscard]] std::string verdict_table_json(const VerdictTable& table);

}  // namespace copybench
