// SPDX-License-Identifier: Apache-2.0
#include "common/run/benchmark_flags.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <utility>

#include "common/environment/text.hpp"
#include "common/run/benchmark_flag.hpp"
#include "common/run/exit_status.hpp"
#include "common/run/name_filter.hpp"

namespace copybench {
namespace {

constexpr int version_with_dry_run = 10901;

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
void read_flag(const BenchmarkFlag& flag, int version, BenchmarkFlags& flags) {
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
    const MinTime time = read_min_time(flag, version);
    flags.min_time_seconds = time.seconds;
    flags.fixed_iterations = time.fixed_iterations;
    value = time.argument;
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
    std::ranges::move(read_context_keys(flag), std::back_inserter(flags.context_keys));
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

std::vector<BenchmarkFlag> flags_from_environment(const ReadVariable& variable) {
  std::vector<BenchmarkFlag> flags;
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

BenchmarkFlag split_argument(const std::string& argument) {
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
  for (const BenchmarkFlag& flag : flags_from_environment(variable)) {
    read_flag(flag, version, flags);
  }
  for (const std::string& argument : arguments) {
    const BenchmarkFlag flag = split_argument(argument);
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
