// SPDX-License-Identifier: Apache-2.0
#include "common/environment/text.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>

namespace copybench {
namespace {

constexpr std::string_view blanks{" \t\r\n\v\f\0", 7};
constexpr std::size_t most_bytes = std::size_t{4} << 20U;

}  // namespace

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (const std::string_view part = trim(text.substr(0, end)); !part.empty()) {
      parts.push_back(part);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::optional<std::string> join(const std::vector<std::string>& parts, std::string_view separator) {
  if (parts.empty()) {
    return std::nullopt;
  }
  std::string joined;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) {
      joined += separator;
    }
    joined += part;
  }
  return joined;
}

std::optional<std::string> find_field(std::string_view text, std::string_view name,
                                      char separator) {
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t colon = line.find(separator);
    if (colon == std::string_view::npos || trim(line.substr(0, colon)) != name) {
      continue;
    }
    const std::string_view value = trim(line.substr(colon + 1));
    return value.empty() ? std::nullopt : std::optional(std::string(value));
  }
  return std::nullopt;
}

std::optional<std::string> read_text(const std::filesystem::path& root, std::string_view path) {
  std::ifstream file(root / path, std::ios::binary);
  // The files of /proc and /sys do not know their size, hence the loop instead of one read.
  std::string text;
  std::string block(std::size_t{64} << 10U, '\0');
  while (file && text.size() < most_bytes) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block, 0, static_cast<std::size_t>(file.gcount()));
  }
  // A directory, or an attribute that the driver refuses to give, opens well and fails when read.
  if (!file.eof() && text.size() < most_bytes) {
    return std::nullopt;
  }
  return text;
}

std::optional<std::string> read_value(const std::filesystem::path& root, std::string_view path) {
  const std::string text = read_text(root, path).value_or("");
  const std::string_view value = trim(text);
  return value.empty() ? std::nullopt : std::optional(std::string(value));
}

}  // namespace copybench
