// SPDX-License-Identifier: Apache-2.0
#include "common/run/options.hpp"

#include <array>
#include <filesystem>
#include <functional>

#include "common/environment/text.hpp"
#include "common/named_enum.hpp"
#include "common/run/exit_status.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;

constexpr std::string_view prefix = "--copybench_";

// A flag and its value, which is nothing for "--flag" alone.
struct Flag {
  std::string name;
  std::optional<std::string> value;

  [[noreturn]] void refuse(const std::string& expected) const {
    throw UsageError(name + "=" + value.value_or("") + ": expected " + expected);
  }
};

Flag split_flag(const std::string& argument) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos) {
    return {argument, std::nullopt};
  }
  return {argument.substr(0, equals), argument.substr(equals + 1)};
}

bool parse_switch(const Flag& flag) {
  if (!flag.value || *flag.value == "true") {
    return true;
  }
  if (*flag.value == "false") {
    return false;
  }
  flag.refuse("true or false");
}

template <typename Number>
Number parse_in_range(const Flag& flag, Number least, Number most, const std::string& expected) {
  const std::optional<Number> number = parse_number<Number>(flag.value.value_or(""));
  // Not "< least or > most": a NaN is neither.
  if (!number || !(*number >= least && *number <= most)) {
    flag.refuse(expected);
  }
  return *number;
}

Profile parse_profile(const Flag& flag) {
  for (const Profile profile : {Profile::quick, Profile::full}) {
    if (flag.value == profile_name(profile)) {
      return profile;
    }
  }
  flag.refuse("quick or full");
}

Nanoseconds parse_watchdog(const Flag& flag) {
  const auto seconds = parse_in_range(flag, 0.1, 86400.0, "a number of seconds from 0.1 to 86400");
  return std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(seconds));
}

CpuPolicy parse_cpu(const Flag& flag) {
  try {
    return parse_cpu_policy(flag.value.value_or(""));
  } catch (const std::invalid_argument& error) {
    flag.refuse(error.what());
  }
}

VerifyPolicy parse_verify(const Flag& flag) {
  const auto policy = parse_enum<VerifyPolicy>(flag.value.value_or(""), verify_policy_names);
  if (!policy) {
    flag.refuse("batch or sample");
  }
  return *policy;
}

std::optional<SpanSource> parse_cupti(const Flag& flag) {
  if (flag.value == "false") {
    return std::nullopt;
  }
  if (!flag.value || flag.value == "true") {
    return SpanSource::activity;
  }
  const auto source = parse_enum<SpanSource>(*flag.value, span_source_names);
  if (!source) {
    flag.refuse("activity or callback");
  }
  return source;
}

std::string parse_timeline(const Flag& flag) {
  const std::string file = flag.value.value_or("");
  const std::string name = std::filesystem::path(file).filename().string();
  if (name.empty() || name == "." || name == ".." || name == ".svg" || name == ".json") {
    flag.refuse("the name of a file");
  }
  return file;
}

struct KnownFlag {
  std::string_view name;
  std::function<void(Options&, const Flag&)> read;
};

const std::array<KnownFlag, 13>& known_flags() {
  static const std::array<KnownFlag, 13> flags{{
      {"profile", [](Options& o, const Flag& f) { o.profile = parse_profile(f); }},
      {"device",
       [](Options& o, const Flag& f) {
         o.device = parse_in_range(f, 0, 1023, "the number of a CUDA device, from 0 to 1023");
       }},
      {"cpu", [](Options& o, const Flag& f) { o.cpu = parse_cpu(f); }},
      {"verify", [](Options& o, const Flag& f) { o.verify = parse_verify(f); }},
      {"list_skipped", [](Options& o, const Flag& f) { o.list_skipped = parse_switch(f); }},
      {"axis", [](Options& o, const Flag& f) { o.axes.push_back(f.value.value_or("")); }},
      {"watchdog", [](Options& o, const Flag& f) { o.watchdog = parse_watchdog(f); }},
      {"progress", [](Options& o, const Flag& f) { o.progress = parse_switch(f); }},
      {"nvtx", [](Options& o, const Flag& f) { o.nvtx = parse_switch(f); }},
      {"cupti", [](Options& o, const Flag& f) { o.cupti = parse_cupti(f); }},
      {"timeline", [](Options& o, const Flag& f) { o.timeline = parse_timeline(f); }},
      {"budget_ms",
       [](Options& o, const Flag& f) {
         o.budget = std::chrono::milliseconds(
             parse_in_range(f, 1, 600000, "a number of milliseconds from 1 to 600000"));
       }},
      {"help", [](Options& o, const Flag& f) { o.help = parse_switch(f); }},
  }};
  return flags;
}

void read_own_flag(Options& options, const std::string& argument) {
  const Flag flag = split_flag(argument);
  for (const KnownFlag& known : known_flags()) {
    if (flag.name == std::string(prefix) + std::string(known.name)) {
      known.read(options, flag);
      return;
    }
  }
  throw UsageError(flag.name + ": unknown flag; --help lists them");
}

}  // namespace

Nanoseconds Options::batch_budget() const {
  return budget.value_or(profile == Profile::quick ? 25ms : 100ms);
}

std::string_view profile_name(Profile profile) {
  return profile == Profile::quick ? "quick" : "full";
}

Options parse_options(std::span<const std::string> arguments) {
  Options options;
  for (const std::string& argument : arguments) {
    if (argument == "--help") {
      options.help = true;
    } else if (argument == "--version") {
      options.version = true;
    } else if (argument.starts_with(prefix)) {
      read_own_flag(options, argument);
    } else {
      options.rest.push_back(argument);
    }
  }
  return options;
}

std::string_view options_help() {
  return R"(copybench measures what host<->device copies cost the host thread.

  --copybench_profile=quick|full   which cases; full unless given
  --copybench_axis=KEY:VALUE[,VALUE...]
                                   only these values of an axis; any number, such as 4096 or 1MiB, on
                                   a numeric one. Repeat it for other axes. A family without the axis
                                   is not narrowed: leave it out with --benchmark_filter
  --copybench_device=N             CUDA device to measure; 0 unless given
  --copybench_cpu=quiet|any|N      keep the measuring thread on the quietest processor, which is looked for
                                   anew before a batch when a neighbour gets busy (quiet, unless given),
                                   nowhere in particular, or on processor N
  --copybench_verify=batch|sample  check the bytes once per batch, after its last sample (batch, unless
                                   given), or after every sample
  --copybench_budget_ms=N          wall-clock time of one batch; 25 (quick) or 100 (full) unless given
  --copybench_watchdog=SECONDS     end a run whose case, start or end makes no progress for so long; 60
                                   unless given
  --copybench_progress             progress and time left on standard error
  --copybench_nvtx                 name every case and every batch for a profiler (NVTX ranges)
  --copybench_cupti[=callback]     have CUPTI take the time of the same calls, as a check: counters
                                   cupti_p50_ns and cupti_samples, from its activity records or in its
                                   callbacks. Calls take longer then. Only where built with CUPTI
  --copybench_timeline=FILE        draw what the threads and the streams do in one sample, the last one, of
                                   the one case that is left: FILE.svg, and FILE.json for Perfetto. Calls
                                   take longer then. Only where built with CUPTI, or simulated
  --copybench_list_skipped         print the cases that this machine cannot run, with the reasons
  --copybench_help, --help         this text
  --version                        what this program was built from

Exit status: 0 every case passed, 1 a case failed or the run was cut short, 2 usage, 3 no usable device,
130 or 143 ended by SIGINT or SIGTERM.

The rest is Google Benchmark's. --benchmark_out=FILE is written whole or not at all. --benchmark_min_time
is minimal unless given, so that one repetition is one batch. A case name is
FAMILY/KEY:VALUE/...; --benchmark_list_tests=true prints them all.
)";
}

}  // namespace copybench
