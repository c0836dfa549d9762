// SPDX-License-Identifier: Apache-2.0
#include "common/environment/environment_variables.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <unistd.h>
#include <vector>

#include "common/environment/text.hpp"

namespace copybench {
namespace {

// The last three are not CUDA's: a profiler that loads itself into the process, the allocator's
// huge pages, and whatever stands between us and malloc or memcpy.
constexpr std::array<std::string_view, 9> known_names{
    "CUDA_VISIBLE_DEVICES",  "CUDA_DEVICE_ORDER",    "CUDA_DEVICE_MAX_CONNECTIONS",
    "CUDA_MODULE_LOADING",   "CUDA_LAUNCH_BLOCKING", "CUDA_SCALE_LAUNCH_QUEUES",
    "CUDA_INJECTION64_PATH", "GLIBC_TUNABLES",       "LD_PRELOAD"};

std::string key_of(std::string_view name) {
  std::string key = "env_";
  for (const char letter : name) {
    key += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  return key;
}

}  // namespace

void add_variable_facts(Facts& facts, std::span<const std::string_view> entries) {
  std::array<std::string, known_names.size()> values;
  values.fill("unset");
  std::vector<std::string> others;
  for (const std::string_view entry : entries) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos) {
      continue;
    }
    const std::string_view name = entry.substr(0, equals);
    const std::string_view value = entry.substr(equals + 1);
    const auto* const known = std::ranges::find(known_names, name);
    if (known != known_names.end()) {
      // CUDA_VISIBLE_DEVICES="" hides every GPU, which is not the same as leaving it unset.
      values.at(static_cast<std::size_t>(known - known_names.begin())) =
          trim(value).empty() ? "(empty)" : std::string(value);
    } else if (name.starts_with("CUDA_")) {
      others.emplace_back(entry);
    }
  }
  for (std::size_t i = 0; i < known_names.size(); ++i) {
    add_fact(facts, key_of(known_names.at(i)), values.at(i));
  }
  std::ranges::sort(others);
  add_fact(facts, "env_cuda_other", join(others, " ").value_or("none"));
}

void add_variable_facts(Facts& facts) {
  std::vector<std::string_view> entries;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    entries.emplace_back(*entry);
  }
  add_variable_facts(facts, entries);
}

}  // namespace copybench
