// SPDX-License-Identifier: Apache-2.0
#include "common/run/verdict_text.hpp"

#include <algorithm>
#include <vector>

#include "common/environment/text.hpp"
#include "common/run/group_text.hpp"

namespace copybench {
namespace {

std::string changes_text(const std::vector<VerdictRange>& changes) {
  std::vector<std::string> parts;
  parts.reserve(changes.size());
  for (const VerdictRange& range : changes) {
    parts.push_back(range.verdict + " " + size_text(range.from_bytes) +
                    (range.from_bytes == range.to_bytes ? "" : " to " + size_text(range.to_bytes)));
  }
  return join(parts, ", ").value_or("");
}

}  // namespace

std::string verdict_table_text(const VerdictTable& table) {
  const bool compares = table.size() > 1 || std::ranges::any_of(table, [](const auto& group) {
                          return group.changes.front().from_bytes != group.changes.back().to_bytes;
                        });
  if (!compares) {
    return {};
  }
  std::string text;
  for (const VerdictTable& groups : by_family(table)) {
    std::vector<GroupLine> lines;
    lines.reserve(groups.size());
    for (const VerdictGroup& group : groups) {
      lines.push_back({static_cast<const RowGroup&>(group), {changes_text(group.changes)}});
    }
    text += group_table_text("Verdicts of " + groups.front().family, {"verdict by size"}, lines);
  }
  return text;
}

}  // namespace copybench
