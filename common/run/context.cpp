// SPDX-License-Identifier: Apache-2.0
#include "common/run/context.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

#include <benchmark/benchmark.h>

#include "common/environment/text.hpp"
#include "common/run/exit_status.hpp"

namespace copybench {
namespace {

constexpr std::array<std::string_view, 16> taken_keys{
    "date",        "host_name",           "executable",    "num_cpus",
    "mhz_per_cpu", "cpu_scaling_enabled", "aslr_enabled",  "caches",
    "load_avg",    "library_version",     "simulated",     "library_build_type",
    "ended_early", "json_schema_version", "verdict_table", "break_even_table"};

}  // namespace

std::string skipped_text(const std::vector<SkippedCase>& skipped, const std::string& separator) {
  std::vector<std::string> lines;
  lines.reserve(skipped.size());
  for (const SkippedCase& one : skipped) {
    lines.push_back(one.name + ": " + one.reason);
  }
  return join(lines, separator).value_or("");
}

void add_context(const Facts& facts, std::span<const std::string> user_keys) {
  for (const std::string& key : user_keys) {
    if (std::ranges::find(taken_keys, key) != taken_keys.end() ||
        std::ranges::find(facts, key, &Fact::key) != facts.end()) {
      throw UsageError("--benchmark_context: the key \"" + key + "\" is taken");
    }
  }
  for (const Fact& fact : facts) {
    benchmark::AddCustomContext(fact.key, fact.value);
  }
}

std::string render_context() {
  std::ostringstream text;
  benchmark::JSONReporter reporter;
  reporter.SetOutputStream(&text);
  (void)reporter.ReportContext(benchmark::BenchmarkReporter::Context());
  return text.str();
}

}  // namespace copybench
