// SPDX-License-Identifier: Apache-2.0
#include "common/run/group_text.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "common/environment/text.hpp"

namespace copybench {
namespace {

const std::string& value_of(const RowGroup& group, const std::string& key) {
  static const std::string none = "-";
  const auto found = std::ranges::find(group.axes, key, &RowGroup::Axis::first);
  return found == group.axes.end() ? none : found->second;
}

// The values of one axis, each once, in the order in which they first appear.
std::vector<std::string> values_of(const std::vector<GroupLine>& lines, const std::string& key) {
  std::vector<std::string> values;
  for (const GroupLine& line : lines) {
    if (std::ranges::find(values, value_of(line.group, key)) == values.end()) {
      values.push_back(value_of(line.group, key));
    }
  }
  return values;
}

// What people look for comes first. All cases of a family have the same axes.
std::vector<std::string> keys_of(const RowGroup& group) {
  std::vector<std::string> keys;
  for (const char* const key : {"mem", "dir", "queue"}) {
    if (std::ranges::find(group.axes, key, &RowGroup::Axis::first) != group.axes.end()) {
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

}  // namespace

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

std::string group_table_text(const std::string& title, const std::vector<std::string>& headings,
                             const std::vector<GroupLine>& lines) {
  std::vector<std::string> columns;
  std::vector<std::string> constant;
  // For each line, where its value first appears in each column: what the lines are ordered by.
  std::vector<std::pair<std::vector<std::ptrdiff_t>, const GroupLine*>> order;
  order.reserve(lines.size());
  for (const GroupLine& line : lines) {
    order.emplace_back(std::vector<std::ptrdiff_t>{}, &line);
  }
  for (const std::string& key : keys_of(lines.front().group)) {
    const std::vector<std::string> values = values_of(lines, key);
    if (values.size() == 1) {
      constant.push_back(key + ":" + values.front());
      continue;
    }
    columns.push_back(key);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      order[i].first.push_back(std::ranges::find(values, value_of(lines[i].group, key)) -
                               values.begin());
    }
  }
  std::ranges::sort(order, {}, [](const auto& place) { return place.first; });
  std::vector<std::vector<std::string>> texts{columns};
  texts.front().insert(texts.front().end(), headings.begin(), headings.end());
  for (const auto& [place, line] : order) {
    std::vector<std::string>& text = texts.emplace_back();
    for (const std::string& key : columns) {
      text.push_back(value_of(line->group, key));
    }
    text.insert(text.end(), line->cells.begin(), line->cells.end());
  }
  const std::string everywhere = join(constant, ", ").value_or("");
  return "\n" + title + (everywhere.empty() ? "" : " (" + everywhere + ")") + "\n" + aligned(texts);
}

}  // namespace copybench
