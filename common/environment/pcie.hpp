// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "common/environment/fact.hpp"
#include "common/environment/nvml.hpp"

namespace copybench {

/// The GPU's link to the host: generation (5 for 32 GT/s) and number of lanes. A figure is absent
/// where it cannot be read.
struct PcieLink {
  std::optional<std::string> generation_now;
  std::optional<std::string> generation_max;
  std::optional<std::string> width_now;
  std::optional<std::string> width_max;
};

/// "5" for "32.0 GT/s PCIe", the kernel's spelling in current_link_speed.
[[nodiscard]] std::optional<std::string> parse_pcie_generation(std::string_view speed);
/// A width that PCI Express has. Virtual machines report 0, 63 or 255 lanes where they do not know.
[[nodiscard]] std::optional<std::string> parse_pcie_width(std::string_view width);

/// The directory of a device in /sys, relative to the root. The kernel spells addresses in lower
/// case, CUDA in upper case.
[[nodiscard]] std::string pci_device_directory(std::string_view pci_bus_id);

/// Asks NVML, then /sys. An idle link sleeps in a lower generation: the figures for now mean
/// something only just after a copy of some size.
[[nodiscard]] PcieLink read_pcie_link(const Nvml& nvml, std::string_view pci_bus_id,
                                      const std::filesystem::path& root = "/");
/// The same for a CUDA device by its number.
[[nodiscard]] PcieLink read_pcie_link(int device, const std::filesystem::path& root = "/");

/// pcie_generation_now, pcie_generation_max, pcie_width_now, pcie_width_max.
void add_pcie_facts(Facts& facts, const PcieLink& link);

}  // namespace copybench
