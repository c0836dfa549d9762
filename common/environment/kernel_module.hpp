// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace copybench {

// Both read the text of /proc/driver/nvidia/version.

/// "open" or "proprietary". Only the open one lets a GPU on PCIe reach pageable memory (HMM).
[[nodiscard]] std::optional<std::string> parse_kernel_module(std::string_view version);
/// The driver's version, for machines whose NVML cannot be loaded.
[[nodiscard]] std::optional<std::string> parse_driver_version(std::string_view version);

}  // namespace copybench
