// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "common/environment/fact.hpp"

namespace copybench {

/// PRETTY_NAME of /etc/os-release without its quotes.
[[nodiscard]] std::optional<std::string> parse_os_name(std::string_view os_release);

/// The container runtime that the control groups of process 1 name ("docker", "kubernetes", ...).
/// Nothing where they name none: under cgroup 2 a container sees only "/".
[[nodiscard]] std::optional<std::string> parse_cgroup_container(std::string_view cgroup);

/// Operating system, kernel, machine model, container and IOMMU.
void add_os_facts(Facts& facts, const std::filesystem::path& root);

}  // namespace copybench
