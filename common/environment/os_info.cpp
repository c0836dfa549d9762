// SPDX-License-Identifier: Apache-2.0
#include "common/environment/os_info.hpp"

#include <array>
#include <system_error>
#include <vector>

#include "common/environment/text.hpp"

namespace copybench {
namespace {

namespace fs = std::filesystem;

bool is_present(const fs::path& root, std::string_view path) {
  std::error_code ignored;
  return fs::exists(root / path, ignored);
}

std::optional<std::string> read_container(const fs::path& root) {
  if (is_present(root, "run/.containerenv")) {
    return "podman";
  }
  if (is_present(root, ".dockerenv")) {
    return "docker";
  }
  if (is_present(root, "var/run/secrets/kubernetes.io")) {
    return "kubernetes";
  }
  if (auto manager = read_value(root, "run/systemd/container")) {
    return manager;
  }
  const auto cgroup = read_text(root, "proc/1/cgroup");
  if (!cgroup) {
    return std::nullopt;
  }
  // Runtimes that leave none of these marks exist, so the absence of marks is all that can be said.
  return parse_cgroup_container(*cgroup).value_or("none found");
}

// Whether the kernel drives an IOMMU. A guest sees its own virtual one, not that of its host.
std::optional<std::string> read_iommu(const fs::path& root) {
  std::error_code error;
  const fs::directory_iterator units(root / "sys/class/iommu", error);
  if (error) {
    return std::nullopt;
  }
  return units == fs::directory_iterator() ? "off" : "on";
}

std::optional<std::string> read_machine_model(const fs::path& root) {
  std::vector<std::string> words;
  for (const std::string_view file : {"sys_vendor", "product_name"}) {
    if (auto value = read_value(root, "sys/class/dmi/id/" + std::string(file))) {
      words.push_back(*std::move(value));
    }
  }
  return join(words, " ");
}

}  // namespace

std::optional<std::string> parse_os_name(std::string_view os_release) {
  auto name = find_field(os_release, "PRETTY_NAME", '=');
  if (name && name->size() >= 2 && (name->front() == '"' || name->front() == '\'') &&
      name->back() == name->front()) {
    name = name->substr(1, name->size() - 2);
  }
  return name;
}

std::optional<std::string> parse_cgroup_container(std::string_view cgroup) {
  struct Mark {
    std::string_view text;
    std::string_view runtime;
  };
  // Kubernetes first: its pods run under one of the others.
  static constexpr std::array<Mark, 6> marks{{{"kubepods", "kubernetes"},
                                              {"docker", "docker"},
                                              {"libpod", "podman"},
                                              {"containerd", "containerd"},
                                              {"lxc", "lxc"},
                                              {"machine.slice", "systemd-nspawn"}}};
  for (const Mark& mark : marks) {
    if (cgroup.find(mark.text) != std::string_view::npos) {
      return std::string(mark.runtime);
    }
  }
  return std::nullopt;
}

void add_os_facts(Facts& facts, const fs::path& root) {
  add_fact(facts, "os", parse_os_name(read_text(root, "etc/os-release").value_or("")));
  add_fact(facts, "kernel", read_value(root, "proc/sys/kernel/osrelease"));
  add_fact(facts, "machine_model", read_machine_model(root));
  add_fact(facts, "container", read_container(root));
  add_fact(facts, "iommu", read_iommu(root));
}

}  // namespace copybench
