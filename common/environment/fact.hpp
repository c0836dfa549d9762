// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace copybench {

/// One line of the fingerprint. Keys are snake_case and never change; a unit, where there is one,
/// is their last word. The value is printable UTF-8 without control characters, at most
/// longest_fact_value bytes, and unknown_value where it could not be read.
struct Fact {
  std::string key;
  std::string value;
};
using Facts = std::vector<Fact>;

inline constexpr std::string_view unknown_value = "unknown";
inline constexpr std::size_t longest_fact_value = 400;

/// Makes `text` fit for a fact: control characters become blanks, bytes that are not UTF-8 become
/// question marks, the ends are trimmed, what is too long ends in "...". Empty text is unknown.
[[nodiscard]] std::string clean_value(std::string_view text);

/// Appends a fact. No value means that it could not be read.
void add_fact(Facts& facts, std::string_view key, const std::optional<std::string>& value);

}  // namespace copybench
