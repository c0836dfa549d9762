// SPDX-License-Identifier: Apache-2.0
#include "common/run/row_group.hpp"

#include "common/environment/text.hpp"
#include "common/run/json.hpp"

namespace copybench {

SizedName parse_sized_name(std::string_view name) {
  constexpr std::string_view size_key = "bytes";
  SizedName parsed;
  bool is_first = true;
  while (!name.empty()) {
    const std::string_view part = name.substr(0, name.find('/'));
    name.remove_prefix(std::min(part.size() + 1, name.size()));
    const std::size_t colon = part.find(':');
    if (is_first) {
      parsed.group.family = part;
      is_first = false;
    } else if (part.substr(0, colon) == size_key && colon != std::string_view::npos) {
      parsed.bytes = parse_number<std::uint64_t>(part.substr(colon + 1));
    } else if (colon != std::string_view::npos) {
      parsed.group.axes.emplace_back(part.substr(0, colon), part.substr(colon + 1));
    }
  }
  return parsed;
}

std::string row_group_json(const RowGroup& group) {
  std::vector<std::string> axes;
  axes.reserve(group.axes.size());
  for (const auto& [key, value] : group.axes) {
    axes.push_back(json_string(key) + ": " + json_string(value));
  }
  return "\"family\": " + json_string(group.family) + ", \"axes\": {" +
         join(axes, ", ").value_or("") + "}";
}

}  // namespace copybench
