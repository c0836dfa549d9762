// SPDX-License-Identifier: Apache-2.0
#include "common/environment/cpu_info.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "common/environment/cpu_list.hpp"
#include "common/environment/text.hpp"

namespace copybench {
namespace {

std::optional<std::string> count_text(const std::optional<std::vector<int>>& numbers) {
  return numbers ? std::optional(std::to_string(numbers->size())) : std::nullopt;
}

std::optional<std::vector<int>> read_list(const std::filesystem::path& root,
                                          std::string_view path) {
  return parse_cpu_list(read_text(root, path).value_or(""));
}

// The governors of all the CPUs: one name as a rule, more where they differ.
std::optional<std::string> read_governors(const std::filesystem::path& root,
                                          const std::vector<int>& cpus) {
  std::set<std::string> governors;
  for (const int cpu : cpus) {
    const auto governor = read_value(
        root, "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cpufreq/scaling_governor");
    if (governor) {
      governors.insert(*governor);
    }
  }
  return join({governors.begin(), governors.end()}, ",");
}

// The NUMA nodes that hold at least one of the CPUs.
std::optional<std::string> read_nodes_of(const std::filesystem::path& root,
                                         const std::vector<int>& cpus) {
  std::vector<std::string> nodes;
  for (const int node :
       read_list(root, "sys/devices/system/node/online").value_or(std::vector<int>{})) {
    const auto members =
        read_list(root, "sys/devices/system/node/node" + std::to_string(node) + "/cpulist");
    const auto is_member = [&](int cpu) { return std::ranges::binary_search(*members, cpu); };
    if (members && std::ranges::any_of(cpus, is_member)) {
      nodes.push_back(std::to_string(node));
    }
  }
  return join(nodes, ",");
}

}  // namespace

std::optional<std::string> parse_cpu_model(std::string_view cpuinfo) {
  // "model name" on x86, "cpu" on POWER.
  for (const std::string_view name : {"model name", "cpu"}) {
    if (auto model = find_field(cpuinfo, name)) {
      return model;
    }
  }
  const auto implementer = find_field(cpuinfo, "CPU implementer");
  const auto part = find_field(cpuinfo, "CPU part");
  if (!implementer || !part) {
    return std::nullopt;
  }
  return "implementer " + *implementer + " part " + *part;
}

std::optional<std::string> parse_virtual_machine(std::string_view cpuinfo) {
  const auto flags = find_field(cpuinfo, "flags");
  if (!flags) {
    return std::nullopt;
  }
  const auto words = split(*flags, ' ');
  return std::ranges::find(words, "hypervisor") == words.end() ? "no" : "yes";
}

void add_cpu_facts(Facts& facts, const std::filesystem::path& root) {
  const std::string cpuinfo = read_text(root, "proc/cpuinfo").value_or("");
  add_fact(facts, "cpu_model", parse_cpu_model(cpuinfo));
  add_fact(facts, "virtual_machine", parse_virtual_machine(cpuinfo));
  add_fact(facts, "cpu_count", count_text(read_list(root, "sys/devices/system/cpu/online")));
  add_fact(facts, "numa_node_count", count_text(read_list(root, "sys/devices/system/node/online")));
  add_fact(facts, "clocksource",
           read_value(root, "sys/devices/system/clocksource/clocksource0/current_clocksource"));

  // Affinity belongs to a thread, not to the process.
  const std::string status = read_text(root, "proc/thread-self/status").value_or("");
  const auto allowed_text = find_field(status, "Cpus_allowed_list");
  const auto allowed = parse_cpu_list(allowed_text.value_or(""));
  add_fact(facts, "cpus_allowed", allowed_text);
  add_fact(facts, "cpus_allowed_count", count_text(allowed));
  add_fact(facts, "numa_nodes_allowed", find_field(status, "Mems_allowed_list"));
  const std::vector<int> cpus = allowed.value_or(std::vector<int>{});
  add_fact(facts, "thread_numa_nodes", read_nodes_of(root, cpus));
  add_fact(facts, "cpu_governor", read_governors(root, cpus));
  // "max 100000" is no limit; "50000 100000" is half a CPU, whatever the affinity says.
  add_fact(facts, "cgroup_cpu_max", read_value(root, "sys/fs/cgroup/cpu.max"));
}

}  // namespace copybench
