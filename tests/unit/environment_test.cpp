// SPDX-License-Identifier: Apache-2.0
#include "common/environment/environment.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "common/environment/cuda_query.hpp"
#include "common/environment/kernel_module.hpp"
#include "common/environment/pcie.hpp"
#include "tests/unit/fake_root.hpp"

namespace copybench {
namespace {

// No machine has it, so these tests see the same on machines with a GPU and without.
constexpr int no_device = 9999;

Facts describe(const std::filesystem::path& root) {
  return describe_environment(
      {.device = no_device, .profile = "quick", .command_line = "copybench", .root = root});
}

std::string value_of(const Facts& facts, std::string_view key) {
  const auto found = std::ranges::find(facts, key, &Fact::key);
  return found == facts.end() ? "(absent)" : found->value;
}

TEST(Environment, KeysAreUniqueAndSnakeCase) {
  std::set<std::string> seen;
  for (const Fact& fact : describe("/")) {
    EXPECT_TRUE(seen.insert(fact.key).second) << fact.key;
    EXPECT_EQ(fact.key.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"),
              std::string::npos)
        << fact.key;
  }
}

// A fact of that name would be a second member of the same JSON object.
TEST(Environment, KeysAreNotThoseOfGoogleBenchmark) {
  const Facts facts = describe("/");
  for (const auto* key : {"date", "host_name", "executable", "num_cpus", "mhz_per_cpu",
                          "cpu_scaling_enabled", "aslr_enabled", "caches", "load_avg",
                          "library_version", "library_build_type", "json_schema_version"}) {
    EXPECT_EQ(value_of(facts, key), "(absent)") << key;
  }
}

TEST(Environment, SameKeysWhateverTheMachine) {
  const FakeRoot empty;
  const Facts here = describe("/");
  const Facts nowhere = describe(empty.path());
  EXPECT_TRUE(std::ranges::equal(here, nowhere, {}, &Fact::key, &Fact::key));
}

TEST(Environment, WithoutGpuEveryGpuKeyIsUnknown) {
  const FakeRoot empty;
  const Facts facts = describe(empty.path());
  for (const auto* key : {"gpu_name",
                          "gpu_uuid",
                          "gpu_compute_capability",
                          "gpu_memory_total_bytes",
                          "gpu_pci_bus_id",
                          "gpu_numa_node",
                          "gpu_iommu_group_type",
                          "gpu_ecc",
                          "gpu_mig_mode",
                          "gpu_persistence_mode",
                          "gpu_clock_sm_now_mhz",
                          "gpu_clock_sm_max_mhz",
                          "gpu_throttle_reasons",
                          "pcie_generation_now",
                          "pcie_generation_max",
                          "pcie_width_now",
                          "pcie_width_max",
                          "async_engine_count",
                          "pageable_memory_access",
                          "pageable_memory_access_uses_host_page_tables",
                          "host_register_read_only_supported",
                          "can_use_stream_mem_ops_v1",
                          "concurrent_managed_access"}) {
    EXPECT_EQ(value_of(facts, key), "unknown") << key;
  }
  EXPECT_NE(value_of(facts, "driver_version"), "(absent)");
  EXPECT_NE(value_of(facts, "confidential_computing"), "(absent)");
}

TEST(Environment, WithoutProcAndSysHostKeysAreUnknown) {
  const FakeRoot empty;
  const Facts facts = describe(empty.path());
  for (const auto* key :
       {"cpu_model", "cpu_count", "cpus_allowed", "cpus_allowed_count", "thread_numa_nodes",
        "cpu_governor", "virtual_machine", "container", "iommu", "os", "kernel",
        "transparent_huge_pages", "memlock_limit_bytes", "memory_total_kib"}) {
    EXPECT_EQ(value_of(facts, key), "unknown") << key;
  }
}

TEST(Environment, SaysHowItWasRun) {
  const Facts facts =
      describe_environment({.device = no_device,
                            .profile = "quick",
                            .command_line = "copybench --a=\n" + std::string(500, 'b')});
  EXPECT_EQ(value_of(facts, "profile"), "quick");
  EXPECT_TRUE(value_of(facts, "command_line").starts_with("copybench --a= b"));
  EXPECT_EQ(value_of(facts, "command_line").size(), longest_fact_value);
  EXPECT_EQ(value_of(facts, "gpu_ordinal"), "9999");
  EXPECT_NE(value_of(facts, "cuda_runtime_version"), "unknown");
  EXPECT_NE(value_of(facts, "google_benchmark_version"), "unknown");
}

TEST(PcieFormats, GenerationOfASpeed) {
  EXPECT_EQ(parse_pcie_generation("2.5 GT/s PCIe\n"), "1");
  EXPECT_EQ(parse_pcie_generation("8 GT/s"), "3");
  EXPECT_EQ(parse_pcie_generation("32.0 GT/s PCIe"), "5");
  for (const auto* text :
       {"", "Unknown", "32.0", "GT/s", "33.0 GT/s PCIe", "-8 GT/s", "\xFF \x01"}) {
    EXPECT_EQ(parse_pcie_generation(text), std::nullopt) << text;
  }
}

TEST(PcieFormats, Width) {
  EXPECT_EQ(parse_pcie_width("16\n"), "16");
  for (const auto* text : {"", "0", "63", "255", "x16", "-1", "\xFF"}) {
    EXPECT_EQ(parse_pcie_width(text), std::nullopt) << text;
  }
}

TEST(PcieFormats, DirectoryIsLowerCase) {
  EXPECT_EQ(pci_device_directory("0000:AB:00.0"), "sys/bus/pci/devices/0000:ab:00.0");
}

TEST(KernelModule, OpenAndProprietary) {
  constexpr std::string_view open =
      "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build  "
      "(dvs-builder@U22-I3-B03)\nGCC version:  gcc version 13.3.0 (Ubuntu 13.3.0-6ubuntu2)\n";
  constexpr std::string_view proprietary =
      "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.129.03  Thu Oct 19 18:56:32 UTC 2023\n";
  EXPECT_EQ(parse_kernel_module(open), "open");
  EXPECT_EQ(parse_driver_version(open), "580.65.06");
  EXPECT_EQ(parse_kernel_module(proprietary), "proprietary");
  EXPECT_EQ(parse_driver_version(proprietary), "535.129.03");
  for (const std::string_view text : {"", "NVRM version:", "NVRM version: NVIDIA", "\xFF\x01"}) {
    EXPECT_EQ(parse_kernel_module(text), std::nullopt);
    EXPECT_EQ(parse_driver_version(text), std::nullopt);
  }
}

TEST(CudaFormats, Version) {
  EXPECT_EQ(format_cuda_version(13000), "13.0");
  EXPECT_EQ(format_cuda_version(12080), "12.8");
  EXPECT_EQ(format_cuda_version(0), std::nullopt);
}

TEST(CudaFormats, Uuid) {
  cudaUUID_t uuid{};
  for (std::size_t i = 0; i < sizeof(uuid.bytes); ++i) {
    uuid.bytes[i] = static_cast<char>(i * 17);
  }
  EXPECT_EQ(format_uuid("GPU", uuid), "GPU-00112233-4455-6677-8899-aabbccddeeff");
}

}  // namespace
}  // namespace copybench
