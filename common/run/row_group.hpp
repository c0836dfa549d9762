// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace copybench {

/// Cases that differ in their size alone: what a table of results has a line for.
struct RowGroup {
  using Axis = std::pair<std::string, std::string>;

  std::string family;
  /// All axes but "bytes", in the order of the name.
  std::vector<Axis> axes;
};

/// The name of a case, "family/key:value/bytes:4".
struct SizedName {
  RowGroup group;
  /// Nothing when there is no axis "bytes", or no number on it.
  std::optional<std::uint64_t> bytes;
};

[[nodiscard]] SizedName parse_sized_name(std::string_view name);

/// The members of RowGroup that every entry of "verdict_table" and its like begins with, as JSON
/// without the braces.
[[nodiscard]] std::string row_group_json(const RowGroup& group);

/// The groups of each family, all in the order in which they first appear.
template <typename Group>
[[nodiscard]] std::vector<std::vector<Group>> by_family(const std::vector<Group>& groups) {
  std::vector<std::vector<Group>> families;
  for (const Group& group : groups) {
    auto found = std::ranges::find_if(
        families, [&](const auto& family) { return family.front().family == group.family; });
    if (found == families.end()) {
      found = families.emplace(families.end());
    }
    found->push_back(group);
  }
  return families;
}

}  // namespace copybench
