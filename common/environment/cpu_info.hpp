// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "common/environment/fact.hpp"

namespace copybench {

/// The processor's name out of /proc/cpuinfo. Arm kernels give no name: there it reads "implementer
/// 0x41 part 0xd4f".
[[nodiscard]] std::optional<std::string> parse_cpu_model(std::string_view cpuinfo);

/// "yes" or "no" out of the flags in /proc/cpuinfo, which only x86 has; elsewhere nothing.
[[nodiscard]] std::optional<std::string> parse_virtual_machine(std::string_view cpuinfo);

/// Model, count, and the CPUs that the calling thread may run on, their governor and NUMA nodes.
void add_cpu_facts(Facts& facts, const std::filesystem::path& root);

}  // namespace copybench
