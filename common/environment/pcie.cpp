// SPDX-License-Identifier: Apache-2.0
#include "common/environment/pcie.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "common/environment/cuda_query.hpp"
#include "common/environment/text.hpp"

namespace copybench {

std::optional<std::string> parse_pcie_generation(std::string_view speed) {
  // Generation n at index n - 1.
  static constexpr std::array<std::string_view, 7> gigatransfers{"2.5",  "5.0",  "8.0",  "16.0",
                                                                 "32.0", "64.0", "128.0"};
  const auto words = split(speed, ' ');
  if (words.size() < 2 || words[1] != "GT/s") {
    return std::nullopt;
  }
  // Older kernels write whole numbers without the decimal.
  const std::string rate =
      std::string(words[0]) + (words[0].find('.') == std::string_view::npos ? ".0" : "");
  const auto* const found = std::ranges::find(gigatransfers, rate);
  if (found == gigatransfers.end()) {
    return std::nullopt;
  }
  return std::to_string(found - gigatransfers.begin() + 1);
}

std::optional<std::string> parse_pcie_width(std::string_view width) {
  static constexpr std::array<unsigned, 7> widths{1, 2, 4, 8, 12, 16, 32};
  const auto lanes = parse_number<unsigned>(trim(width));
  if (!lanes || std::ranges::find(widths, *lanes) == widths.end()) {
    return std::nullopt;
  }
  return std::to_string(*lanes);
}

std::string pci_device_directory(std::string_view pci_bus_id) {
  std::string directory = "sys/bus/pci/devices/";
  for (const char letter : pci_bus_id) {
    directory += letter >= 'A' && letter <= 'F' ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  return directory;
}

PcieLink read_pcie_link(const Nvml& nvml, std::string_view pci_bus_id,
                        const std::filesystem::path& root) {
  const std::string directory = pci_device_directory(pci_bus_id) + "/";
  const auto ask = [&](const char* function) -> std::optional<std::string> {
    const NvmlReading reading = nvml.number(function);
    // NVML says 0 where a virtual machine hides the link.
    if (reading.status != NvmlReading::Status::known || reading.value == 0) {
      return std::nullopt;
    }
    return format_number(reading.value);
  };
  const auto read = [&](const char* file) {
    return read_text(root, directory + file).value_or("");
  };

  PcieLink link{ask("nvmlDeviceGetCurrPcieLinkGeneration"),
                ask("nvmlDeviceGetMaxPcieLinkGeneration"), ask("nvmlDeviceGetCurrPcieLinkWidth"),
                ask("nvmlDeviceGetMaxPcieLinkWidth")};
  if (!link.generation_now) {
    link.generation_now = parse_pcie_generation(read("current_link_speed"));
  }
  if (!link.generation_max) {
    link.generation_max = parse_pcie_generation(read("max_link_speed"));
  }
  if (!link.width_now) {
    link.width_now = parse_pcie_width(read("current_link_width"));
  }
  if (!link.width_max) {
    link.width_max = parse_pcie_width(read("max_link_width"));
  }
  return link;
}

PcieLink read_pcie_link(int device, const std::filesystem::path& root) {
  const std::string address = query_pci_bus_id(device).value_or("");
  return read_pcie_link(Nvml(address), address, root);
}

void add_pcie_facts(Facts& facts, const PcieLink& link) {
  add_fact(facts, "pcie_generation_now", link.generation_now);
  add_fact(facts, "pcie_generation_max", link.generation_max);
  add_fact(facts, "pcie_width_now", link.width_now);
  add_fact(facts, "pcie_width_max", link.width_max);
}

}  // namespace copybench
