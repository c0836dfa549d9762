// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <concepts>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace copybench {

/// Without the blanks (space, tab, newline, NUL) at both ends.
[[nodiscard]] std::string_view trim(std::string_view text);

/// The parts between `separator`, trimmed, empty ones left out.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

// The results of these two point into the text, which must not be a passing string.
template <std::same_as<std::string> Text>
std::string_view trim(const Text&&) = delete;
template <std::same_as<std::string> Text>
std::vector<std::string_view> split(const Text&&, char separator) = delete;

/// The parts joined by `separator`; nothing when there are none.
[[nodiscard]] std::optional<std::string> join(const std::vector<std::string>& parts,
                                              std::string_view separator);

/// The value of the first line "name<blanks><separator>value", trimmed, as in /proc/cpuinfo,
/// /proc/meminfo and /etc/os-release. Nothing when there is no such line or the value is empty.
[[nodiscard]] std::optional<std::string> find_field(std::string_view text, std::string_view name,
                                                    char separator = ':');

/// A decimal number, and nothing else around it.
template <typename Number>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || rest != end) {
    return std::nullopt;
  }
  return number;
}

/// The file's text, at most the first 4 MiB of it. `path` is relative to `root`, which is "/" but
/// for tests. Nothing when the file is missing or unreadable.
[[nodiscard]] std::optional<std::string> read_text(const std::filesystem::path& root,
                                                   std::string_view path);

/// The same for a file that holds one value: trimmed, and nothing when it is empty.
[[nodiscard]] std::optional<std::string> read_value(const std::filesystem::path& root,
                                                    std::string_view path);

}  // namespace copybench
