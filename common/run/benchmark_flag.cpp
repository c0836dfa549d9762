// SPDX-License-Identifier: Apache-2.0
#include "common/run/benchmark_flag.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "common/environment/fact.hpp"
#include "common/environment/text.hpp"
#include "common/run/exit_status.hpp"

namespace copybench {
namespace {

// Whether it is UTF-8 without control characters. Asked one code point at a time, because
// clean_value() also trims and shortens.
bool is_printable(std::string_view text) {
  while (!text.empty()) {
    std::size_t size = 1;
    while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) {
      ++size;
    }
    const std::string_view letter = text.substr(0, size);
    if (letter != " " && clean_value(letter) != letter) {
      return false;
    }
    text.remove_prefix(size);
  }
  return true;
}

}  // namespace

void BenchmarkFlag::refuse(const std::string& problem) const {
  throw UsageError("--" + name + "=" + value.value_or("") + ": " + problem);
}

const std::string& BenchmarkFlag::text() const {
  if (!value) {
    throw UsageError("--" + name + ": expected --" + name + "=VALUE");
  }
  return *value;
}

std::string one_of(const BenchmarkFlag& flag, std::initializer_list<std::string_view> values) {
  if (std::ranges::find(values, flag.text()) != values.end()) {
    return flag.text();
  }
  const std::vector<std::string> names(values.begin(), values.end());
  flag.refuse("expected one of " + join(names, ", ").value_or("none"));
}

bool read_switch(const BenchmarkFlag& flag) {
  if (!flag.value) {
    return true;
  }
  std::string lower = *flag.value;
  std::ranges::transform(lower, lower.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  constexpr std::array<std::string_view, 6> on{"true", "yes", "on", "1", "t", "y"};
  constexpr std::array<std::string_view, 6> off{"false", "no", "off", "0", "f", "n"};
  if (std::ranges::find(on, lower) != on.end()) {
    return true;
  }
  if (std::ranges::find(off, lower) != off.end()) {
    return false;
  }
  flag.refuse("expected true or false");
}

std::string read_format(const BenchmarkFlag& flag) {
  if (flag.text() == "csv") {
    flag.refuse("the cases have different counters, which CSV cannot hold; use json");
  }
  return one_of(flag, {"console", "json"});
}

double read_seconds(const BenchmarkFlag& flag, std::string_view text) {
  const std::optional<double> seconds = parse_number<double>(text);
  if (!seconds || !std::isfinite(*seconds) || *seconds < 0 || *seconds > 86400) {
    flag.refuse("expected a number of seconds from 0 to 86400");
  }
  return *seconds;
}

MinTime read_min_time(const BenchmarkFlag& flag, int version) {
  std::string_view text = flag.text();
  if (text.ends_with('x')) {
    if (version < version_with_suffixes) {
      flag.refuse("a number of iterations needs Google Benchmark 1.8.0 or newer");
    }
    text.remove_suffix(1);
    const std::optional<int> iterations = parse_number<int>(text);
    if (!iterations || *iterations < 1 || *iterations > 1000000) {
      flag.refuse("expected a number of iterations from 1x to 1000000x");
    }
    return {.fixed_iterations = true, .argument = flag.text()};
  }
  if (text.ends_with('s')) {
    text.remove_suffix(1);
  }
  return {.seconds = read_seconds(flag, text),
          .argument = std::string(text) + (version >= version_with_suffixes ? "s" : "")};
}

std::vector<std::string> read_context_keys(const BenchmarkFlag& flag) {
  std::vector<std::string> keys;
  for (const std::string_view pair : split(flag.text(), ',')) {
    const std::size_t equals = pair.find('=');
    if (equals == 0 || equals == std::string_view::npos || equals + 1 == pair.size() ||
        pair.find('=', equals + 1) != std::string_view::npos) {
      flag.refuse("expected KEY=VALUE[,KEY=VALUE...]");
    }
    keys.emplace_back(pair.substr(0, equals));
  }
  if (keys.empty() || !is_printable(flag.text())) {
    flag.refuse("expected KEY=VALUE[,KEY=VALUE...] in UTF-8, without control characters");
  }
  return keys;
}

int read_repetitions(const BenchmarkFlag& flag) {
  const std::optional<int> repetitions = parse_number<int>(flag.text());
  if (!repetitions || *repetitions < 1 || *repetitions > 1000000) {
    flag.refuse("expected a whole number from 1 to 1000000");
  }
  return *repetitions;
}

}  // namespace copybench
