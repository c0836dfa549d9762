// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copybench {

/// What the run needs to know of Google Benchmark's flags, and the arguments to give it.
struct BenchmarkFlags {
  std::string filter{};
  std::string out{};
  std::string out_format = "json";
  std::string format = "console";
  int repetitions = 1;
  bool list_tests = false;
  bool dry_run = false;
  /// The manual time that Google Benchmark wants to see before it accepts the first repetition.
  double min_time_seconds = 0;
  /// Whether the number of iterations is given ("50x"), so that every entry is accepted.
  bool fixed_iterations = false;
  /// Keys of --benchmark_context.
  std::vector<std::string> context_keys{};
  std::vector<std::string> arguments{};
};

using ReadVariable = std::function<std::optional<std::string>(const std::string& name)>;

/// Checks the arguments before Google Benchmark sees them, because it answers a bad value with
/// status 0, an abort, or silence. Throws UsageError.
///
/// Google Benchmark also takes its flags from the environment (BENCHMARK_FILTER); those are checked
/// the same way, and the arguments win. `version` is COPYBENCH_BENCHMARK_VERSION.
[[nodiscard]] BenchmarkFlags check_benchmark_flags(std::span<const std::string> arguments,
                                                   int version, const ReadVariable& variable);

}  // namespace copybench
