// SPDX-License-Identifier: Apache-2.0
#include "common/run/verdict_text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "common/environment/text.hpp"

namespace copybench {
namespace {

// In the largest unit that divides it, unless that leaves a number which is no easier to read.
std::string size_text(std::uint64_t bytes) {
  constexpr std::uint64_t readable = 10000;
  std::uint64_t number = bytes;
  std::string_view unit = "B";
  for (const std::string_view larger : {"KiB", "MiB", "GiB"}) {
    if (number == 0 || number % 1024 != 0) {
      break;
    }
    number /= 1024;
    unit = larger;
  }
  return (number < readable ? std::to_string(number) + " " + std::string(unit)
                            : std::to_string(bytes) + " B");
}

std::string changes_text(const std::vector<VerdictRange>& changes) {
  std::vector<std::string> parts;
  parts.reserve(changes.size());
  for (const VerdictRange& range : changes) {
    parts.push_back(range.verdict + " " + size_text(range.from_bytes) +
                    (range.from_bytes == range.to_bytes ? "" : " to " + size_text(range.to_bytes)));
  }
  return join(parts, ", ").value_or("");
}

const std::string& value_of(const VerdictGroup& group, const std::string& key) {
  static const std::string none = "-";
  const auto found = std::ranges::find(group.axes, key, &VerdictGroup::Axis::first);
  return found == group.axes.end() ? none : found->second;
}

// The values of one axis, each once, in the order in which they first appear.
std::vector<std::string> values_of(const VerdictTable& table, const std::string& key) {
  std::vector<std::string> values;
  for (const VerdictGroup& group : table) {
    if (std::ranges::find(values, value_of(group, key)) == values.end()) {
      values.push_back(value_of(group, key));
    }
  }
  return values;
}

// What people look for comes first. All cases of a family have the same axes.
std::vector<std::string> keys_of(const VerdictGroup& group) {
  std::vector<std::string> keys;
  for (const char* const key : {"mem", "dir", "queue"}) {
    if (std::ranges::find(group.axes, key, &VerdictGroup::Axis::first) != group.axes.end()) {
      keys.emplace_back(key);
    }
  }
  for (const auto& [key, value] : group.axes) {
    if (std::ranges::find(keys, key) == keys.end()) {
      keys.push_back(key);
    }
  }
  return keys;
}

std::string aligned(const std::vector<std::vector<std::string>>& lines) {
  std::vector<std::size_t> widths(lines.front().size());
  for (const std::vector<std::string>& line : lines) {
    for (std::size_t column = 0; column < line.size(); ++column) {
      widths[column] = std::max(widths[column], line[column].size());
    }
  }
  std::string text;
  for (const std::vector<std::string>& line : lines) {
    for (std::size_t column = 0; column + 1 < line.size(); ++column) {
      text += line[column] + std::string(widths[column] - line[column].size() + 2, ' ');
    }
    text += line.back() + "\n";
  }
  return text;
}

// `table` holds the groups of one family.
std::string family_text(const VerdictTable& table) {
  std::vector<std::string> columns;
  std::vector<std::string> constant;
  // For each group, where its value first appears in each column: what the lines are ordered by.
  std::vector<std::pair<std::vector<std::ptrdiff_t>, const VerdictGroup*>> order;
  order.reserve(table.size());
  for (const VerdictGroup& group : table) {
    order.emplace_back(std::vector<std::ptrdiff_t>{}, &group);
  }
  for (const std::string& key : keys_of(table.front())) {
    const std::vector<std::string> values = values_of(table, key);
    if (values.size() == 1) {
      constant.push_back(key + ":" + values.front());
      continue;
    }
    columns.push_back(key);
    for (std::size_t i = 0; i < table.size(); ++i) {
      order[i].first.push_back(std::ranges::find(values, value_of(table[i], key)) - values.begin());
    }
  }
  std::ranges::sort(order, {}, [](const auto& place) { return place.first; });
  std::vector<std::vector<std::string>> lines{columns};
  lines.front().emplace_back("verdict by size");
  for (const auto& [place, group] : order) {
    std::vector<std::string>& line = lines.emplace_back();
    for (const std::string& key : columns) {
      line.push_back(value_of(*group, key));
    }
    line.push_back(changes_text(group->changes));
  }
  const std::string everywhere = join(constant, ", ").value_or("");
  return "\nVerdicts of " + table.front().family +
         (everywhere.empty() ? "" : " (" + everywhere + ")") + "\n" + aligned(lines);
}

}  // namespace

std::string verdict_table_text(const VerdictTable& table) {
  const bool compares = table.size() > 1 || std::ranges::any_of(table, [](const auto& group) {
                          return group.changes.front().from_bytes != group.changes.back().to_bytes;
                        });
  if (!compares) {
    return {};
  }
  std::vector<std::string> families;
  std::map<std::string, VerdictTable> by_family;
  for (const VerdictGroup& group : table) {
    VerdictTable& groups = by_family[group.family];
    if (groups.empty()) {
      families.push_back(group.family);
    }
    groups.push_back(group);
  }
  std::string text;
  for (const std::string& family : families) {
    text += family_text(by_family.at(family));
  }
  return text;
}

}  // namespace copybench
