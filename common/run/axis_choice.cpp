// SPDX-License-Identifier: Apache-2.0
#include "common/run/axis_choice.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "common/environment/text.hpp"
#include "common/run/exit_status.hpp"

namespace copybench {
namespace {

constexpr std::uint64_t largest = std::uint64_t{4} << 30U;

// An axis as the user sees it: one key, whichever sweeps and families have it.
struct KnownAxis {
  std::string key;
  std::vector<std::string> values;
  bool numeric = true;
};

void add_missing(std::vector<std::string>& values, const std::string& value) {
  if (std::ranges::find(values, value) == values.end()) {
    values.push_back(value);
  }
}

std::vector<KnownAxis> known_axes(const std::vector<Family>& families) {
  std::vector<KnownAxis> known;
  for (const Family& family : families) {
    for (const Sweep& sweep : family.sweeps) {
      for (const Axis& axis : sweep.axes) {
        auto found = std::ranges::find(known, axis.key, &KnownAxis::key);
        if (found == known.end()) {
          found = known.insert(known.end(), {axis.key, {}});
        }
        found->numeric = found->numeric && is_numeric(axis);
        for (const std::string& value : axis.values) {
          add_missing(found->values, value);
        }
      }
    }
  }
  return known;
}

[[noreturn]] void refuse(const std::string& text, const std::string& problem) {
  throw UsageError("--copybench_axis=" + text + ": " + problem);
}

std::string keys_of(const std::vector<KnownAxis>& axes) {
  std::vector<std::string> keys;
  keys.reserve(axes.size());
  for (const KnownAxis& axis : axes) {
    keys.push_back(axis.key);
  }
  return join(keys, ", ").value_or("none");
}

std::string normalise(const KnownAxis& axis, std::string_view value) {
  const std::string text = axis.key + ":" + std::string(value);
  if (!axis.numeric) {
    if (std::ranges::find(axis.values, value) == axis.values.end()) {
      refuse(text, "unknown value; there are " + join(axis.values, ", ").value_or("none"));
    }
    return std::string(value);
  }
  // Zero makes sense only where the tables have it.
  const std::uint64_t least = std::ranges::find(axis.values, "0") == axis.values.end() ? 1 : 0;
  const std::optional<std::uint64_t> number = parse_size(value);
  if (!number || *number < least || *number > largest) {
    refuse(text,
           "expected a number from " + std::to_string(least) + " to 4GiB, such as 4096 or 1MiB");
  }
  return std::to_string(*number);
}

}  // namespace

std::optional<std::uint64_t> parse_size(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, unsigned>, 3> units{
      {{"KiB", 10}, {"MiB", 20}, {"GiB", 30}}};
  unsigned shift = 0;
  for (const auto& [unit, bits] : units) {
    if (text.ends_with(unit)) {
      text.remove_suffix(unit.size());
      shift = bits;
      break;
    }
  }
  const std::optional<std::uint64_t> number = parse_number<std::uint64_t>(text);
  if (!number || *number > std::numeric_limits<std::uint64_t>::max() >> shift) {
    return std::nullopt;
  }
  return *number << shift;
}

AxisChoice parse_axis_choice(std::span<const std::string> texts,
                             const std::vector<Family>& families) {
  const std::vector<KnownAxis> known = known_axes(families);
  AxisChoice choice;
  for (const std::string& text : texts) {
    const std::size_t colon = text.find(':');
    const std::string key = text.substr(0, colon);
    const auto axis = std::ranges::find(known, key, &KnownAxis::key);
    if (axis == known.end()) {
      refuse(text, "unknown axis \"" + key + "\"; there are " + keys_of(known));
    }
    const std::string_view list =
        colon == std::string::npos ? "" : std::string_view(text).substr(colon + 1);
    const std::vector<std::string_view> values = split(list, ',');
    // split() leaves out what is empty.
    if (std::cmp_not_equal(values.size(), std::ranges::count(list, ',') + 1)) {
      refuse(text, "expected KEY:VALUE[,VALUE...]");
    }
    for (const std::string_view value : values) {
      add_missing(choice[key], normalise(*axis, value));
    }
  }
  return choice;
}

}  // namespace copybench
