// SPDX-License-Identifier: Apache-2.0
#include "common/environment/nvml.hpp"

#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "common/environment/nvml_facts.hpp"
#include "common/environment/pcie.hpp"
#include "common/environment/shared_library.hpp"
#include "tests/unit/fake_root.hpp"

namespace copybench {
namespace {

constexpr const char* address = "0000:1B:00.0";

std::string value_of(const Facts& facts, std::string_view key) {
  for (const Fact& fact : facts) {
    if (fact.key == key) {
      return fact.value;
    }
  }
  return "(absent)";
}

TEST(Nvml, FactsOfAGpu) {
  const Nvml nvml(address, COPYBENCH_FAKE_NVML);
  Facts facts;
  add_nvml_facts(facts, nvml);
  EXPECT_EQ(value_of(facts, "confidential_computing"), "on_devtools");
  EXPECT_EQ(value_of(facts, "gpu_ecc"), "on");
  EXPECT_EQ(value_of(facts, "gpu_mig_mode"), "not_supported");
  EXPECT_EQ(value_of(facts, "gpu_persistence_mode"), "unknown");
  EXPECT_EQ(value_of(facts, "gpu_bar1_total_bytes"), "274877906944");
  EXPECT_EQ(value_of(facts, "gpu_clock_sm_now_mhz"), "1980");
  EXPECT_EQ(value_of(facts, "gpu_clock_memory_now_mhz"), "3201");
  EXPECT_EQ(value_of(facts, "gpu_clock_sm_max_mhz"), "unknown");
  // By its older name.
  EXPECT_EQ(value_of(facts, "gpu_throttle_reasons"), "gpu_idle,software_power_cap");
  EXPECT_EQ(value_of(facts, "gpu_vbios_version"), std::string(256, 'v'));
  EXPECT_EQ(nvml.driver_version(), "580.65.06");
}

TEST(Nvml, UnknownAddressLeavesOnlyWhatBelongsToTheSystem) {
  const Nvml nvml("0000:1C:00.0", COPYBENCH_FAKE_NVML);
  Facts facts;
  add_nvml_facts(facts, nvml);
  for (const Fact& fact : facts) {
    EXPECT_EQ(fact.value, fact.key == "confidential_computing" ? "on_devtools" : "unknown")
        << fact.key;
  }
  EXPECT_EQ(nvml.driver_version(), "580.65.06");
}

TEST(Nvml, MissingLibraryLeavesEveryKeyUnknown) {
  const Nvml nvml(address, "libcopybench-does-not-exist.so.1");
  Facts facts;
  add_nvml_facts(facts, nvml);
  EXPECT_FALSE(facts.empty());
  for (const Fact& fact : facts) {
    EXPECT_EQ(fact.value, "unknown") << fact.key;
  }
  EXPECT_EQ(nvml.driver_version(), std::nullopt);
}

TEST(Nvml, ShutsDownWhatItHasOpened) {
  const SharedLibrary library(COPYBENCH_FAKE_NVML);
  auto* const users = library.find<int()>("copybench_fake_nvml_users");
  ASSERT_NE(users, nullptr);
  EXPECT_EQ(users(), 0);
  {
    const Nvml found(address, COPYBENCH_FAKE_NVML);
    const Nvml not_found("", COPYBENCH_FAKE_NVML);
    EXPECT_EQ(users(), 2);
  }
  EXPECT_EQ(users(), 0);
}

TEST(PcieLink, AsksNvmlThenTheKernel) {
  const FakeRoot root;
  root.write("sys/bus/pci/devices/0000:1b:00.0/current_link_speed", "2.5 GT/s PCIe\n");
  root.write("sys/bus/pci/devices/0000:1b:00.0/max_link_speed", "32.0 GT/s PCIe\n");
  root.write("sys/bus/pci/devices/0000:1b:00.0/current_link_width", "16\n");
  root.write("sys/bus/pci/devices/0000:1b:00.0/max_link_width", "0\n");
  const Nvml nvml(address, COPYBENCH_FAKE_NVML);
  const PcieLink link = read_pcie_link(nvml, address, root.path());
  EXPECT_EQ(link.generation_now, "5");
  EXPECT_EQ(link.generation_max, "5");
  EXPECT_EQ(link.width_now, "16");
  EXPECT_EQ(link.width_max, std::nullopt);
}

TEST(NvmlFormats, ThrottleReasons) {
  EXPECT_EQ(format_throttle_reasons(0), "none");
  EXPECT_EQ(format_throttle_reasons(0x48), "hardware_slowdown,hardware_thermal_slowdown");
  EXPECT_EQ(format_throttle_reasons(std::uint64_t{1} << 63U), "bit_63");
}

TEST(NvmlFormats, ValuesWithoutMeaning) {
  EXPECT_EQ(format_switch(0), "off");
  EXPECT_EQ(format_switch(2), std::nullopt);
  EXPECT_EQ(format_virtualization(1), "passthrough");
  EXPECT_EQ(format_virtualization(5), std::nullopt);
}

}  // namespace
}  // namespace copybench
