// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "common/environment/cpu_info.hpp"
#include "common/environment/environment_variables.hpp"
#include "common/environment/memory_info.hpp"
#include "common/environment/os_info.hpp"
#include "tests/unit/fake_root.hpp"

namespace copybench {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view xeon = R"(processor	: 0
vendor_id	: GenuineIntel
cpu family	: 6
model		: 143
model name	: Intel(R) Xeon(R) Platinum 8480+
flags		: fpu vme de pse tsc msr hypervisor lahf_lm
bugs		: spectre_v1

processor	: 1
model name	: Intel(R) Xeon(R) Platinum 8480+
)";

constexpr std::string_view grace = R"(processor	: 0
BogoMIPS	: 2000.00
Features	: fp asimd evtstrm aes
CPU implementer	: 0x41
CPU architecture: 8
CPU variant	: 0x0
CPU part	: 0xd4f
)";

constexpr std::string_view limits =
    R"(Limit                     Soft Limit           Hard Limit           Units     
Max cpu time              unlimited            unlimited            seconds   
Max locked memory         8388608              unlimited            bytes     
Max nice priority         0                    0                    
)";

// Nothing, cut short, binary, and a format that is not the expected one.
constexpr std::array hostile{""sv, "\n\n\n"sv, "model name"sv, "\0\xFF\x01\0"sv, "[[[]"sv, ":::"sv};

std::string value_of(const Facts& facts, std::string_view key) {
  for (const Fact& fact : facts) {
    if (fact.key == key) {
      return fact.value;
    }
  }
  return "(absent)";
}

TEST(CpuModel, X86AndArm) {
  EXPECT_EQ(parse_cpu_model(xeon), "Intel(R) Xeon(R) Platinum 8480+");
  EXPECT_EQ(parse_cpu_model(grace), "implementer 0x41 part 0xd4f");
}

TEST(VirtualMachine, OnlyX86Tells) {
  EXPECT_EQ(parse_virtual_machine(xeon), "yes");
  EXPECT_EQ(parse_virtual_machine("flags : fpu vme"), "no");
  // A word that merely contains the flag's name is another flag.
  EXPECT_EQ(parse_virtual_machine("flags : nohypervisor"), "no");
  EXPECT_EQ(parse_virtual_machine(grace), std::nullopt);
}

TEST(Meminfo, WithAndWithoutUnit) {
  constexpr std::string_view meminfo =
      "MemTotal:       131072000 kB\nHugePages_Total:       4\nHugepagesize:       2048 kB\n";
  EXPECT_EQ(parse_meminfo(meminfo, "MemTotal"), "131072000");
  EXPECT_EQ(parse_meminfo(meminfo, "HugePages_Total"), "4");
  EXPECT_EQ(parse_meminfo(meminfo, "MemFree"), std::nullopt);
  EXPECT_EQ(parse_meminfo("MemTotal: lots kB", "MemTotal"), std::nullopt);
  EXPECT_EQ(parse_meminfo("MemTotal: 12 MB", "MemTotal"), std::nullopt);
  EXPECT_EQ(parse_meminfo("MemTotal: 12 kB kB", "MemTotal"), std::nullopt);
}

TEST(Limit, SoftLimitOfThatLine) {
  EXPECT_EQ(parse_limit(limits, "Max locked memory"), "8388608");
  EXPECT_EQ(parse_limit(limits, "Max cpu time"), "unlimited");
  EXPECT_EQ(parse_limit(limits, "Max wishes"), std::nullopt);
  EXPECT_EQ(parse_limit("Max locked memory", "Max locked memory"), std::nullopt);
  EXPECT_EQ(parse_limit("Max locked memory  none", "Max locked memory"), std::nullopt);
}

TEST(Selected, ChoiceInBrackets) {
  EXPECT_EQ(parse_selected("always [madvise] never\n"), "madvise");
  for (const auto text : {"always madvise"sv, "[]"sv, "]x["sv, "[cut"sv}) {
    EXPECT_EQ(parse_selected(text), std::nullopt) << text;
  }
}

TEST(OsName, WithAndWithoutQuotes) {
  EXPECT_EQ(parse_os_name("NAME=x\nPRETTY_NAME=\"Ubuntu 24.04.2 LTS\"\n"), "Ubuntu 24.04.2 LTS");
  EXPECT_EQ(parse_os_name("PRETTY_NAME=Alpine"), "Alpine");
  EXPECT_EQ(parse_os_name("PRETTY_NAME=\""), "\"");
}

TEST(CgroupContainer, NamesTheRuntime) {
  EXPECT_EQ(parse_cgroup_container("0::/kubepods.slice/cri-containerd-1.scope"), "kubernetes");
  EXPECT_EQ(parse_cgroup_container("12:cpuset:/docker/0123abcd\n"), "docker");
  EXPECT_EQ(parse_cgroup_container("0::/\n"), std::nullopt);
}

TEST(HostParsers, HostileTextIsUnknown) {
  for (const std::string_view text : hostile) {
    EXPECT_EQ(parse_cpu_model(text), std::nullopt);
    EXPECT_EQ(parse_virtual_machine(text), std::nullopt);
    EXPECT_EQ(parse_meminfo(text, "MemTotal"), std::nullopt);
    EXPECT_EQ(parse_limit(text, "Max locked memory"), std::nullopt);
    EXPECT_EQ(parse_selected(text), std::nullopt);
    EXPECT_EQ(parse_os_name(text), std::nullopt);
    EXPECT_EQ(parse_cgroup_container(text), std::nullopt);
  }
}

TEST(HostFacts, OfAFakeMachine) {
  const FakeRoot root;
  root.write("proc/cpuinfo", xeon);
  root.write("proc/thread-self/status", "Cpus_allowed_list:\t2-3,6\nMems_allowed_list:\t0-1\n");
  root.write("proc/meminfo", "MemTotal: 1024 kB\n");
  root.write("proc/self/limits", limits);
  root.write("proc/1/cgroup", "0::/\n");
  root.write("proc/sys/kernel/osrelease", "6.8.0-71-generic\n");
  root.write("sys/devices/system/cpu/online", "0-7\n");
  root.write("sys/devices/system/cpu/cpu2/cpufreq/scaling_governor", "performance\n");
  root.write("sys/devices/system/cpu/cpu6/cpufreq/scaling_governor", "powersave\n");
  root.write("sys/devices/system/node/online", "0-2\n");
  root.write("sys/devices/system/node/node0/cpulist", "0-3\n");
  root.write("sys/devices/system/node/node1/cpulist", "4-7\n");
  root.write("sys/devices/system/node/node2/cpulist", "\n");  // memory without processors
  root.write("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");
  root.write("sys/class/dmi/id/sys_vendor", "QEMU\n");
  root.write("sys/class/iommu/dmar0/devices", "");

  Facts facts;
  add_cpu_facts(facts, root.path());
  add_memory_facts(facts, root.path());
  add_os_facts(facts, root.path());
  EXPECT_EQ(value_of(facts, "cpu_model"), "Intel(R) Xeon(R) Platinum 8480+");
  EXPECT_EQ(value_of(facts, "virtual_machine"), "yes");
  EXPECT_EQ(value_of(facts, "cpu_count"), "8");
  EXPECT_EQ(value_of(facts, "cpus_allowed"), "2-3,6");
  EXPECT_EQ(value_of(facts, "cpus_allowed_count"), "3");
  EXPECT_EQ(value_of(facts, "numa_node_count"), "3");
  EXPECT_EQ(value_of(facts, "thread_numa_nodes"), "0,1");
  EXPECT_EQ(value_of(facts, "cpu_governor"), "performance,powersave");
  EXPECT_EQ(value_of(facts, "memory_total_kib"), "1024");
  EXPECT_EQ(value_of(facts, "memory_available_kib"), "unknown");
  EXPECT_EQ(value_of(facts, "memlock_limit_bytes"), "8388608");
  EXPECT_EQ(value_of(facts, "transparent_huge_pages"), "always");
  EXPECT_EQ(value_of(facts, "transparent_huge_pages_defrag"), "unknown");
  EXPECT_EQ(value_of(facts, "kernel"), "6.8.0-71-generic");
  EXPECT_EQ(value_of(facts, "machine_model"), "QEMU");
  EXPECT_EQ(value_of(facts, "container"), "none found");
  EXPECT_EQ(value_of(facts, "iommu"), "on");
}

TEST(HostFacts, IommuWithoutUnitsIsOff) {
  const FakeRoot root;
  std::filesystem::create_directories(root.path() / "sys/class/iommu");
  Facts facts;
  add_os_facts(facts, root.path());
  EXPECT_EQ(value_of(facts, "iommu"), "off");
}

TEST(HostFacts, MarkFilesOfContainers) {
  const FakeRoot root;
  root.write("proc/1/cgroup", "0::/\n");
  root.write(".dockerenv", "");
  Facts facts;
  add_os_facts(facts, root.path());
  EXPECT_EQ(value_of(facts, "container"), "docker");
}

TEST(VariableFacts, KnownOthersAndUnset) {
  const std::vector<std::string_view> entries{"CUDA_PATH=/usr/local/cuda",
                                              "CUDA_VISIBLE_DEVICES=",
                                              "CUDA_LAUNCH_BLOCKING=1",
                                              "HOME=/root",
                                              "CUDA_HOME=/opt",
                                              "CUDA_BROKEN"};
  Facts facts;
  add_variable_facts(facts, entries);
  EXPECT_EQ(value_of(facts, "env_cuda_visible_devices"), "(empty)");
  EXPECT_EQ(value_of(facts, "env_cuda_launch_blocking"), "1");
  EXPECT_EQ(value_of(facts, "env_cuda_module_loading"), "unset");
  EXPECT_EQ(value_of(facts, "env_cuda_other"), "CUDA_HOME=/opt CUDA_PATH=/usr/local/cuda");
}

TEST(VariableFacts, NoVariablesAtAll) {
  Facts facts;
  add_variable_facts(facts, {});
  EXPECT_EQ(value_of(facts, "env_ld_preload"), "unset");
  EXPECT_EQ(value_of(facts, "env_cuda_other"), "none");
}

}  // namespace
}  // namespace copybench
