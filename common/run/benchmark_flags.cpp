// SPDX-License-Identifier: Apache-2.0
#include "common/run/benchmark_flags.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <initializer_list>

#include "common/environment/fact.hpp"
#include "common/environment/text.hpp"
#include "common/run/exit_status.hpp"
#include "common/run/name_filter.hpp"

namespace copybench {
namespace {

struct Flag {
  std::string name;
  std::optional<std::string> value;

  [[noreturn]] void refuse(const std::string& problem) const {
    throw UsageError("--" + name + "=" + value.value_or("") + ": " + problem);
  }
  [[nodiscard]] const std::string& text() const {
    if (!value) {
      throw UsageError("--" + name + ": expected --" + name + "=VALUE");
    }
    return *value;
  }
};

constexpr int version_with_suffixes = 10800;
constexpr int version_with_dry_run = 10901;

std::string one_of(const Flag& flag, std::initializer_list<std::string_view> values) {
  if (std::ranges::find(values, flag.text()) != values.end()) {
    return flag.text();
  }
  const std::vector<std::string> names(values.begin(), values.end());
  flag.refuse("expected one of " + join(names, ", ").value_or("none"));
}

bool read_switch(const Flag& flag) {
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

// A format that the run can finish in. Google Benchmark's CSV has one set of columns for all rows.
std::string read_format(const Flag& flag) {
  if (flag.text() == "csv") {
    flag.refuse("the cases have different counters, which CSV cannot hold; use json");
  }
  return one_of(flag, {"console", "json"});
}

double read_seconds(const Flag& flag, std::string_view text) {
  const std::optional<double> seconds = parse_number<double>(text);
  if (!seconds || !std::isfinite(*seconds) || *seconds < 0 || *seconds > 86400) {
    flag.refuse("expected a number of seconds from 0 to 86400");
  }
  return *seconds;
}

// Returns what Google Benchmark of this version has to be given.
std::string read_min_time(const Flag& flag, int version, BenchmarkFlags& flags) {
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
    flags.fixed_iterations = true;
    return flag.text();
  }
  if (text.ends_with('s')) {
    text.remove_suffix(1);
  }
  flags.min_time_seconds = read_seconds(flag, text);
  flags.fixed_iterations = false;
  return std::string(text) + (version >= version_with_suffixes ? "s" : "");
}

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

void read_context(const Flag& flag, BenchmarkFlags& flags) {
  for (const std::string_view pair : split(flag.text(), ',')) {
    const std::size_t equals = pair.find('=');
    if (equals == 0 || equals == std::string_view::npos || equals + 1 == pair.size() ||
        pair.find('=', equals + 1) != std::string_view::npos) {
      flag.refuse("expected KEY=VALUE[,KEY=VALUE...]");
    }
    flags.context_keys.emplace_back(pair.substr(0, equals));
  }
  if (flags.context_keys.empty() || !is_printable(flag.text())) {
    flag.refuse("expected KEY=VALUE[,KEY=VALUE...] in UTF-8, without control characters");
  }
}

int read_repetitions(const Flag& flag) {
  const std::optional<int> repetitions = parse_number<int>(flag.text());
  if (!repetitions || *repetitions < 1 || *repetitions > 1000000) {
    flag.refuse("expected a whole number from 1 to 1000000");
  }
  return *repetitions;
}

constexpr std::array<std::string_view, 18> known_names{"benchmark_list_tests",
                                                       "benchmark_filter",
                                                       "benchmark_min_time",
                                                       "benchmark_min_warmup_time",
                                                       "benchmark_repetitions",
                                                       "benchmark_dry_run",
                                                       "benchmark_enable_random_interleaving",
                                                       "benchmark_report_aggregates_only",
                                                       "benchmark_display_aggregates_only",
                                                       "benchmark_format",
                                                       "benchmark_out",
                                                       "benchmark_out_format",
                                                       "benchmark_color",
                                                       "benchmark_counters_tabular",
                                                       "benchmark_perf_counters",
                                                       "benchmark_context",
                                                       "benchmark_time_unit",
                                                       "v"};

// Reads one flag into `flags`, and the argument to pass on into flags.arguments.
void read_flag(const Flag& flag, int version, BenchmarkFlags& flags) {
  const std::string& name = flag.name;
  std::string value = flag.value.value_or("true");
  if (name == "benchmark_list_tests") {
    flags.list_tests = read_switch(flag);
    return;
  }
  if (name == "benchmark_filter") {
    flags.filter = NameFilter(flag.text()).text();
    return;
  }
  if (name == "benchmark_out") {
    if (flag.text().empty()) {
      flag.refuse("expected the path of a file");
    }
    flags.out = flag.text();
    return;
  }
  if (name == "benchmark_min_time") {
    value = read_min_time(flag, version, flags);
  } else if (name == "benchmark_min_warmup_time") {
    if (read_seconds(flag, flag.text()) > 0) {
      flag.refuse("every case warms up by itself, once");
    }
  } else if (name == "benchmark_repetitions") {
    flags.repetitions = read_repetitions(flag);
  } else if (name == "benchmark_format") {
    flags.format = read_format(flag);
  } else if (name == "benchmark_out_format") {
    flags.out_format = read_format(flag);
  } else if (name == "benchmark_color") {
    (void)one_of(flag, {"auto", "true", "false", "yes", "no", "on", "off", "1", "0"});
  } else if (name == "benchmark_time_unit") {
    (void)one_of(flag, {"ns"});
  } else if (name == "benchmark_context") {
    read_context(flag, flags);
  } else if (name == "v") {
    if (!parse_number<int>(flag.text())) {
      flag.refuse("expected a whole number");
    }
  } else if (name == "benchmark_perf_counters") {
    value = flag.text();
  } else if (name == "benchmark_dry_run") {
    if (version < version_with_dry_run) {
      throw UsageError("--benchmark_dry_run: needs Google Benchmark 1.9.1 or newer");
    }
    flags.dry_run = read_switch(flag);
  } else {
    (void)read_switch(flag);
  }
  flags.arguments.push_back("--" + name + "=" + value);
}

bool is_known(std::string_view name) {
  return std::ranges::find(known_names, name) != known_names.end();
}

std::vector<Flag> flags_from_environment(const ReadVariable& variable) {
  std::vector<Flag> flags;
  for (const std::string_view name : known_names) {
    // Google Benchmark reads "V" as well, a name that too many other things have.
    if (name == "v") {
      continue;
    }
    std::string upper(name);
    std::ranges::transform(upper, upper.begin(), [](unsigned char letter) {
      return static_cast<char>(std::toupper(letter));
    });
    if (std::optional<std::string> value = variable(upper)) {
      flags.push_back({std::string(name), std::move(value)});
    }
  }
  return flags;
}

Flag split_argument(const std::string& argument) {
  if (!argument.starts_with("--benchmark_") && !argument.starts_with("--v=")) {
    throw UsageError((argument.empty() ? "\"\"" : argument) +
                     ": unknown argument; --help lists them");
  }
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos) {
    return {argument.substr(2), std::nullopt};
  }
  return {argument.substr(2, equals - 2), argument.substr(equals + 1)};
}

}  // namespace

BenchmarkFlags check_benchmark_flags(std::span<const std::string> arguments, int version,
                                     const ReadVariable& variable) {
  BenchmarkFlags flags;
  // The least, so that one entry is enough. Stated first: the last one counts.
  flags.arguments.push_back("--benchmark_min_time=" +
                            std::string(version >= version_with_suffixes ? "0s" : "0"));
  for (const Flag& flag : flags_from_environment(variable)) {
    read_flag(flag, version, flags);
  }
  for (const std::string& argument : arguments) {
    const Flag flag = split_argument(argument);
    if (is_known(flag.name)) {
      read_flag(flag, version, flags);
    } else {
      // A flag of a newer Google Benchmark perhaps; it says so if not.
      flags.arguments.push_back(argument);
    }
  }
  if (flags.dry_run) {
    // One repetition of one iteration, whatever the other flags say.
    flags.repetitions = 1;
    flags.fixed_iterations = true;
  }
  // Listing, filtering and writing are the run's own. Said in so many words, for the environment.
  flags.arguments.emplace_back("--benchmark_list_tests=false");
  flags.arguments.emplace_back("--benchmark_filter=");
  flags.arguments.emplace_back(flags.out.empty() ? "--benchmark_out="
                                                 : "--benchmark_out=/dev/null");
  return flags;
}

}  // namespace copybench
