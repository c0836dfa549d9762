// SPDX-License-Identifier: Apache-2.0
#include "common/environment/nvml_reading.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "common/environment/text.hpp"

namespace copybench {

std::optional<std::string> format_number(std::uint64_t value) { return std::to_string(value); }

std::optional<std::string> format_switch(std::uint64_t value) {
  if (value > 1) {
    return std::nullopt;
  }
  return value == 1 ? "on" : "off";
}

std::optional<std::string> format_throttle_reasons(std::uint64_t mask) {
  // In the order of the bits of nvmlClocksEventReasons.
  static constexpr std::array<std::string_view, 9> names{"gpu_idle",
                                                         "application_clocks",
                                                         "software_power_cap",
                                                         "hardware_slowdown",
                                                         "sync_boost",
                                                         "software_thermal_slowdown",
                                                         "hardware_thermal_slowdown",
                                                         "hardware_power_brake",
                                                         "display_clock"};
  std::vector<std::string> reasons;
  for (std::size_t bit = 0; bit < 64; ++bit) {
    if (((mask >> bit) & 1U) != 0) {
      reasons.push_back(bit < names.size() ? std::string(names.at(bit))
                                           : "bit_" + std::to_string(bit));
    }
  }
  return join(reasons, ",").value_or("none");
}

std::optional<std::string> format_virtualization(std::uint64_t mode) {
  static constexpr std::array<std::string_view, 5> names{"none", "passthrough", "vgpu", "host_vgpu",
                                                         "host_vsga"};
  if (mode >= names.size()) {
    return std::nullopt;
  }
  return std::string(names.at(mode));
}

std::optional<std::string> describe(const NvmlReading& reading, NvmlFormat format) {
  switch (reading.status) {
    case NvmlReading::Status::known:
      return format(reading.value);
    case NvmlReading::Status::not_supported:
      return "not_supported";
    case NvmlReading::Status::unknown:
      break;
  }
  return std::nullopt;
}

}  // namespace copybench
