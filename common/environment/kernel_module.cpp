// SPDX-License-Identifier: Apache-2.0
#include "common/environment/kernel_module.hpp"

#include <algorithm>

#include "common/environment/text.hpp"

namespace copybench {

std::optional<std::string> parse_kernel_module(std::string_view version) {
  const auto line = find_field(version, "NVRM version");
  if (!line || line->find("Kernel Module") == std::string::npos) {
    return std::nullopt;
  }
  return line->find("Open Kernel Module") == std::string::npos ? "proprietary" : "open";
}

std::optional<std::string> parse_driver_version(std::string_view version) {
  const std::string line = find_field(version, "NVRM version").value_or("");
  for (const std::string_view word : split(line, ' ')) {
    const auto parts = split(word, '.');
    const auto is_number = [](std::string_view part) {
      return parse_number<unsigned>(part).has_value();
    };
    if (parts.size() >= 2 && std::ranges::all_of(parts, is_number)) {
      return std::string(word);
    }
  }
  return std::nullopt;
}

}  // namespace copybench
