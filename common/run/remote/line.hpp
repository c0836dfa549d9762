// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copybench {

/// A line, of which the first word says what it is.
using Words = std::vector<std::string>;

/// The line with its end. Any text can be a word: what would end a word or a line is written
/// differently.
[[nodiscard]] std::string encode(std::span<const std::string> words);

/// The words of a line, given without its end. Nothing for a line that encode() does not write.
[[nodiscard]] std::optional<Words> decode(std::string_view line);

}  // namespace copybench
