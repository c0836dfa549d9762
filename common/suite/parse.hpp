// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

#include "common/named_enum.hpp"
#include "common/suite/axes.hpp"

namespace copybench {

/// The value of an axis as the enum that it stands for. The tables of the families hold the names
/// of the enums, so a name that does not parse is a fault in a table.
template <typename Enum, std::size_t count>
[[nodiscard]] Enum parse_axis(const AxisValues& values, std::string_view key,
                              const std::array<std::string_view, count>& names) {
  const std::optional<Enum> parsed = parse_enum<Enum>(values.at(key), names);
  if (!parsed) {
    throw std::out_of_range(values.name() + ": unknown " + std::string(key));
  }
  return *parsed;
}

}  // namespace copybench
