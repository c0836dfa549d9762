// SPDX-License-Identifier: Apache-2.0
#include "common/environment/cpu_list.hpp"

#include <set>

#include "common/environment/text.hpp"

namespace copybench {
namespace {

// Far above any kernel's limit; keeps a damaged list from filling the memory.
constexpr int highest_number = 65535;

}  // namespace

std::optional<std::vector<int>> parse_cpu_list(std::string_view text) {
  std::set<int> numbers;
  for (const std::string_view range : split(text, ',')) {
    const std::size_t dash = range.find('-');
    const auto first = parse_number<int>(range.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? first : parse_number<int>(range.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last > highest_number) {
      return std::nullopt;
    }
    for (int number = *first; number <= *last; ++number) {
      numbers.insert(number);
    }
  }
  if (numbers.empty()) {
    return std::nullopt;
  }
  return std::vector<int>(numbers.begin(), numbers.end());
}

}  // namespace copybench
