// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace copybench {

/// One figure that NVML was asked for. "Not supported" is an answer of its own: a GPU without ECC
/// says so, which is more than not knowing.
struct NvmlReading {
  enum class Status { known, not_supported, unknown };
  Status status = Status::unknown;
  std::uint64_t value = 0;
};

/// How a known figure is spelled. Nothing for a figure without meaning.
using NvmlFormat = std::optional<std::string> (*)(std::uint64_t value);

[[nodiscard]] std::optional<std::string> format_number(std::uint64_t value);
/// NVML's enable state: "on", "off".
[[nodiscard]] std::optional<std::string> format_switch(std::uint64_t value);
/// The reasons for which clocks are below their maximum, joined by commas, or "none".
[[nodiscard]] std::optional<std::string> format_throttle_reasons(std::uint64_t mask);
/// "none" on bare metal, "passthrough", "vgpu", "host_vgpu", "host_vsga".
[[nodiscard]] std::optional<std::string> format_virtualization(std::uint64_t mode);

/// The text of a fact: the formatted value, "not_supported", or nothing when it is unknown.
[[nodiscard]] std::optional<std::string> describe(const NvmlReading& reading, NvmlFormat format);

}  // namespace copybench
