// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace copybench {

// Every closed set of the vocabulary is an enum whose names stand in an array in the same order.
// These two turn one into the other, so that a name is written down once.

template <typename Enum, std::size_t count>
[[nodiscard]] constexpr std::string_view name_of(Enum value,
                                                 const std::array<std::string_view, count>& names) {
  return names.at(static_cast<std::size_t>(value));
}

template <typename Enum, std::size_t count>
[[nodiscard]] constexpr std::optional<Enum> parse_enum(
    std::string_view name, const std::array<std::string_view, count>& names) {
  for (std::size_t i = 0; i < count; ++i) {
    if (names.at(i) == name) {
      return static_cast<Enum>(i);
    }
  }
  return std::nullopt;
}

}  // namespace copybench
