// SPDX-License-Identifier: Apache-2.0
#include "common/run/verdict_table.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>

#include "common/environment/text.hpp"
#include "common/measurement/verdict.hpp"
#include "common/named_enum.hpp"
#include "common/run/json.hpp"

namespace copybench {
namespace {

constexpr std::string_view failed_verdict = "failed";

// How often each verdict was given. None where every row failed.
using Counts = std::map<Verdict, std::size_t>;

// A group with all that was said of each of its sizes.
struct Tally {
  RowGroup group;
  std::map<std::uint64_t, Counts> sizes;
};

Verdict judge_repetitions(const Counts& counts) {
  std::size_t all = 0;
  for (const auto& [verdict, count] : counts) {
    all += count;
  }
  for (const auto& [verdict, count] : counts) {
    if (2 * count > all) {
      return verdict;
    }
  }
  return Verdict::mixed;
}

VerdictGroup compress(const Tally& tally) {
  VerdictGroup group{tally.group, {}};
  for (const auto& [bytes, counts] : tally.sizes) {
    const std::string verdict(counts.empty() ? failed_verdict
                                             : name_of(judge_repetitions(counts), verdict_names));
    if (!group.changes.empty() && group.changes.back().verdict == verdict) {
      group.changes.back().to_bytes = bytes;
    } else {
      group.changes.push_back({bytes, bytes, verdict});
    }
  }
  return group;
}

}  // namespace

VerdictTable make_verdict_table(std::span<const LabelledRow> rows) {
  std::vector<Tally> tallies;
  std::map<std::pair<std::string, decltype(RowGroup::axes)>, std::size_t> places;
  for (const LabelledRow& row : rows) {
    const auto verdict = row.failed ? std::nullopt : parse_enum<Verdict>(row.label, verdict_names);
    SizedName place = parse_sized_name(row.name);
    if ((!verdict && !row.failed) || !place.bytes) {
      continue;
    }
    const auto [found, is_new] =
        places.try_emplace({place.group.family, place.group.axes}, tallies.size());
    if (is_new) {
      tallies.push_back({std::move(place.group), {}});
    }
    Counts& counts = tallies[found->second].sizes[*place.bytes];
    if (verdict) {
      ++counts[*verdict];
    }
  }
  // What failed at every size need not be a case that has verdicts.
  std::erase_if(tallies, [](const Tally& tally) {
    return std::ranges::all_of(tally.sizes, [](const auto& size) { return size.second.empty(); });
  });
  VerdictTable table;
  std::ranges::transform(tallies, std::back_inserter(table), compress);
  return table;
}

std::string verdict_table_json(const VerdictTable& table) {
  std::string text = "[";
  for (const VerdictGroup& group : table) {
    std::vector<std::string> changes;
    changes.reserve(group.changes.size());
    for (const VerdictRange& range : group.changes) {
      changes.push_back("{\"from_bytes\": " + std::to_string(range.from_bytes) +
                        ", \"to_bytes\": " + std::to_string(range.to_bytes) +
                        ", \"verdict\": " + json_string(range.verdict) + "}");
    }
    text += (text == "[" ? "\n      {" : ",\n      {") + row_group_json(group) +
            ", \"changes\": [" + join(changes, ", ").value_or("") + "]}";
  }
  return text + (table.empty() ? "]" : "\n    ]");
}

}  // namespace copybench
