// SPDX-License-Identifier: Apache-2.0
#include "common/run/break_even_table.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>

#include "common/environment/text.hpp"
#include "common/measurement/break_even.hpp"
#include "common/run/group_text.hpp"
#include "common/run/json.hpp"

namespace copybench {
namespace {

// What the repetitions of each size said. Nothing where every one failed.
struct Repetitions {
  RowGroup group;
  std::map<std::uint64_t, std::vector<std::uint64_t>> sizes;
};

// The middle one, and of two middle ones the larger. Never is later than any number.
std::optional<std::uint64_t> majority(std::vector<std::uint64_t> said) {
  if (said.empty()) {
    return std::nullopt;
  }
  constexpr std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
  std::ranges::replace(said, never_breaks_even, last);
  const auto middle = said.begin() + static_cast<std::ptrdiff_t>(said.size() / 2);
  std::ranges::nth_element(said, middle);
  return *middle == last ? never_breaks_even : *middle;
}

std::string copies_text(const std::optional<std::uint64_t>& copies) {
  if (!copies) {
    return "failed";
  }
  return *copies == never_breaks_even ? "never" : std::to_string(*copies);
}

std::string copies_json(const std::optional<std::uint64_t>& copies) {
  const std::string text = copies_text(copies);
  return copies && *copies != never_breaks_even ? text : json_string(text);
}

std::vector<std::uint64_t> sizes_of(const BreakEvenTable& groups) {
  std::vector<std::uint64_t> sizes;
  for (const BreakEvenGroup& group : groups) {
    for (const BreakEvenSize& size : group.sizes) {
      sizes.push_back(size.bytes);
    }
  }
  std::ranges::sort(sizes);
  sizes.erase(std::ranges::unique(sizes).begin(), sizes.end());
  return sizes;
}

std::string family_text(const BreakEvenTable& groups) {
  const std::vector<std::uint64_t> sizes = sizes_of(groups);
  std::vector<std::string> headings;
  headings.reserve(sizes.size());
  for (const std::uint64_t bytes : sizes) {
    headings.push_back(size_text(bytes));
  }
  std::vector<GroupLine> lines;
  lines.reserve(groups.size());
  for (const BreakEvenGroup& group : groups) {
    std::vector<std::string> cells;
    cells.reserve(sizes.size());
    for (const std::uint64_t bytes : sizes) {
      const auto found = std::ranges::find(group.sizes, bytes, &BreakEvenSize::bytes);
      cells.push_back(found == group.sizes.end() ? "-" : copies_text(found->copies));
    }
    lines.push_back({static_cast<const RowGroup&>(group), std::move(cells)});
  }
  return group_table_text("Copies from which on it pays, " + groups.front().family, headings,
                          lines);
}

}  // namespace

BreakEvenTable make_break_even_table(std::span<const CountedRow> rows) {
  std::vector<Repetitions> groups;
  std::map<std::pair<std::string, decltype(RowGroup::axes)>, std::size_t> places;
  for (const CountedRow& row : rows) {
    SizedName name = parse_sized_name(row.name);
    if ((!row.copies && !row.failed) || !name.bytes) {
      continue;
    }
    const auto [found, is_new] =
        places.try_emplace({name.group.family, name.group.axes}, groups.size());
    if (is_new) {
      groups.push_back({std::move(name.group), {}});
    }
    std::vector<std::uint64_t>& said = groups[found->second].sizes[*name.bytes];
    if (row.copies && !row.failed) {
      said.push_back(static_cast<std::uint64_t>(*row.copies));
    }
  }
  BreakEvenTable table;
  for (Repetitions& repetitions : groups) {
    // What failed at every size need not be a case that has the counter.
    if (std::ranges::all_of(repetitions.sizes,
                            [](const auto& size) { return size.second.empty(); })) {
      continue;
    }
    BreakEvenGroup& group = table.emplace_back(BreakEvenGroup{std::move(repetitions.group), {}});
    for (auto& [bytes, said] : repetitions.sizes) {
      group.sizes.push_back({bytes, majority(std::move(said))});
    }
  }
  return table;
}

std::string break_even_table_json(const BreakEvenTable& table) {
  std::string text = "[";
  for (const BreakEvenGroup& group : table) {
    std::vector<std::string> sizes;
    sizes.reserve(group.sizes.size());
    for (const BreakEvenSize& size : group.sizes) {
      sizes.push_back("{\"bytes\": " + std::to_string(size.bytes) +
                      ", \"copies\": " + copies_json(size.copies) + "}");
    }
    text += (text == "[" ? "\n      {" : ",\n      {") + row_group_json(group) + ", \"sizes\": [" +
            join(sizes, ", ").value_or("") + "]}";
  }
  return text + (table.empty() ? "]" : "\n    ]");
}

std::string break_even_table_text(const BreakEvenTable& table) {
  if (table.empty() || (table.size() == 1 && table.front().sizes.size() == 1)) {
    return {};
  }
  std::string text;
  for (const BreakEvenTable& groups : by_family(table)) {
    text += family_text(groups);
  }
  return text;
}

}  // namespace copybench
