// SPDX-License-Identifier: Apache-2.0
#include "common/environment/memory_info.hpp"

#include <cstdint>
#include <unistd.h>

#include "common/environment/text.hpp"

namespace copybench {
namespace {

bool is_number(std::string_view text) { return parse_number<std::uint64_t>(text).has_value(); }

std::optional<std::string> page_size() {
  const auto bytes = sysconf(_SC_PAGESIZE);
  return bytes > 0 ? std::optional(std::to_string(bytes)) : std::nullopt;
}

}  // namespace

std::optional<std::string> parse_meminfo(std::string_view meminfo, std::string_view name) {
  const std::string field = find_field(meminfo, name).value_or("");
  const auto words = split(field, ' ');
  if (words.empty() || words.size() > 2 || !is_number(words[0]) ||
      (words.size() == 2 && words[1] != "kB")) {
    return std::nullopt;
  }
  return std::string(words[0]);
}

std::optional<std::string> parse_limit(std::string_view limits, std::string_view name) {
  for (const std::string_view line : split(limits, '\n')) {
    if (!line.starts_with(name)) {
      continue;
    }
    const auto words = split(line.substr(name.size()), ' ');
    if (!words.empty() && (is_number(words[0]) || words[0] == "unlimited")) {
      return std::string(words[0]);
    }
  }
  return std::nullopt;
}

std::optional<std::string> parse_selected(std::string_view choices) {
  for (const std::string_view choice : split(choices, ' ')) {
    if (choice.size() <= 2 || choice.front() != '[' || choice.back() != ']') {
      continue;
    }
    const std::string_view selected = choice.substr(1, choice.size() - 2);
    if (selected.find_first_of("[]") == std::string_view::npos) {
      return std::string(selected);
    }
  }
  return std::nullopt;
}

void add_memory_facts(Facts& facts, const std::filesystem::path& root) {
  const std::string meminfo = read_text(root, "proc/meminfo").value_or("");
  add_fact(facts, "memory_total_kib", parse_meminfo(meminfo, "MemTotal"));
  add_fact(facts, "memory_available_kib", parse_meminfo(meminfo, "MemAvailable"));
  add_fact(facts, "page_size_bytes", page_size());
  add_fact(facts, "huge_page_size_kib", parse_meminfo(meminfo, "Hugepagesize"));
  add_fact(facts, "huge_pages_total", parse_meminfo(meminfo, "HugePages_Total"));

  constexpr std::string_view thp = "sys/kernel/mm/transparent_hugepage/";
  const auto selected = [&](std::string_view setting) {
    return parse_selected(read_text(root, std::string(thp) + std::string(setting)).value_or(""));
  };
  add_fact(facts, "transparent_huge_pages", selected("enabled"));
  add_fact(facts, "transparent_huge_pages_defrag", selected("defrag"));

  const std::string limits = read_text(root, "proc/self/limits").value_or("");
  add_fact(facts, "memlock_limit_bytes", parse_limit(limits, "Max locked memory"));
}

}  // namespace copybench
