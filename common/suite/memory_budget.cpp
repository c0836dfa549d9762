// SPDX-License-Identifier: Apache-2.0
#include "common/suite/memory_budget.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>

#include "common/environment/memory_info.hpp"
#include "common/environment/text.hpp"

namespace copybench {
namespace {

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
constexpr std::size_t mebibyte = std::size_t{1} << 20U;
// Managed memory moves to the device page by page; more of it says nothing new and takes minutes.
constexpr std::size_t most_managed = std::size_t{1} << 30U;
// A kind can be the source of one case and the destination of another; each role has its buffer.
constexpr std::size_t roles = 2;

std::optional<std::size_t> read_number(const std::filesystem::path& root, const std::string& path) {
  return parse_number<std::size_t>(read_value(root, path).value_or(""));
}

std::size_t saturating_add(std::size_t a, std::size_t b) {
  return a > unlimited - b ? unlimited : a + b;
}

std::size_t available_to_system(const std::filesystem::path& root) {
  const std::string meminfo = read_text(root, "proc/meminfo").value_or("");
  const auto kibibytes =
      parse_number<std::size_t>(parse_meminfo(meminfo, "MemAvailable").value_or(""));
  return kibibytes ? *kibibytes * 1024 : unlimited;
}

// The names of one control group's files, which differ between the two versions.
struct GroupFiles {
  std::string_view limit, use, cache_field;
};
constexpr GroupFiles version_2{"memory.max", "memory.current", "inactive_file"};
constexpr GroupFiles version_1{"memory.limit_in_bytes", "memory.usage_in_bytes",
                               "total_inactive_file"};

std::size_t available_to_group(const std::filesystem::path& root, const std::string& group,
                               const GroupFiles& files) {
  const auto limit = read_number(root, group + "/" + std::string(files.limit));
  const auto use = read_number(root, group + "/" + std::string(files.use));
  if (!limit || !use) {
    return unlimited;  // "max", or no such group
  }
  const std::string stat = read_text(root, group + "/memory.stat").value_or("");
  const auto cache =
      parse_number<std::size_t>(find_field(stat, files.cache_field, ' ').value_or(""));
  // The kernel gives the page cache back before it kills anybody.
  const std::size_t held = *use - std::min(*use, cache.value_or(0));
  return *limit - std::min(*limit, held);
}

// A limit further up counts as well.
std::size_t available_on_path(const std::filesystem::path& root, const std::string& mount,
                              std::string path, const GroupFiles& files) {
  std::size_t available = unlimited;
  while (true) {
    available = std::min(available, available_to_group(root, mount + path, files));
    if (path.empty()) {
      return available;
    }
    path.erase(path.rfind('/'));
  }
}

std::size_t available_to_groups(const std::filesystem::path& root) {
  std::size_t available = unlimited;
  const std::string groups = read_text(root, "proc/self/cgroup").value_or("");
  // "ID:CONTROLLERS:PATH", the controllers empty in version 2.
  for (const std::string_view line : split(groups, '\n')) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', std::min(first, line.size() - 1) + 1);
    if (second == std::string_view::npos) {
      continue;
    }
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    std::string path(line.substr(second + 1));
    if (!path.starts_with('/') || path == "/") {
      path.clear();
    }
    if (controllers.empty()) {
      available = std::min(available, available_on_path(root, "sys/fs/cgroup", path, version_2));
    } else if (std::ranges::count(split(controllers, ','), "memory") != 0) {
      available =
          std::min(available, available_on_path(root, "sys/fs/cgroup/memory", path, version_1));
    }
  }
  return available;
}

std::string in_mebibytes(std::size_t bytes) {
  return std::to_string(bytes / mebibyte + (bytes % mebibyte == 0 ? 0 : 1)) + " MiB";
}

std::string shortage(std::string_view of, std::size_t needed, std::size_t limit) {
  return "too little " + std::string(of) + " memory: the buffers up to here take " +
         in_mebibytes(needed) + ", " + in_mebibytes(limit) + " are free for them";
}

}  // namespace

std::size_t free_host_memory(const std::filesystem::path& root) {
  return std::min(available_to_system(root), available_to_groups(root));
}

MemoryBudget::MemoryBudget(FreeMemory free)
    : limits_{free.host - free.host / 8, free.device - free.device / 8} {}

std::optional<std::string> MemoryBudget::admit(const MemoryNeeds& needs) {
  PerKind asked{};
  for (const auto& [kind, bytes] : needs) {
    std::size_t& sum = asked.at(static_cast<std::size_t>(kind));
    sum = saturating_add(sum, bytes);
  }
  if (asked.at(static_cast<std::size_t>(MemoryKind::managed)) > most_managed) {
    return "more than " + in_mebibytes(most_managed) + " of managed memory";
  }
  PerKind largest{};
  FreeMemory total;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    largest.at(i) = std::max(largest_.at(i), asked.at(i));
    const auto kind = static_cast<MemoryKind>(i);
    for (std::size_t role = 0; role < roles; ++role) {
      if (is_host_accessible(kind)) {
        total.host = saturating_add(total.host, largest.at(i));
      }
      if (kind == MemoryKind::device || kind == MemoryKind::managed) {
        total.device = saturating_add(total.device, largest.at(i));
      }
    }
  }
  if (total.host > limits_.host) {
    return shortage("host", total.host, limits_.host);
  }
  if (total.device > limits_.device) {
    return shortage("device", total.device, limits_.device);
  }
  largest_ = largest;
  return std::nullopt;
}

}  // namespace copybench
