// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "common/environment/fact.hpp"

namespace copybench {

/// The figure of one line of /proc/meminfo, without the unit: kibibytes where the line has "kB", a
/// count otherwise.
[[nodiscard]] std::optional<std::string> parse_meminfo(std::string_view meminfo,
                                                       std::string_view name);

/// The soft limit of one line of /proc/self/limits: a number or "unlimited".
[[nodiscard]] std::optional<std::string> parse_limit(std::string_view limits,
                                                     std::string_view name);

/// The choice in brackets: "madvise" for "always [madvise] never".
[[nodiscard]] std::optional<std::string> parse_selected(std::string_view choices);

/// Sizes, page sizes, huge pages and the limit on locked memory.
void add_memory_facts(Facts& facts, const std::filesystem::path& root);

}  // namespace copybench
