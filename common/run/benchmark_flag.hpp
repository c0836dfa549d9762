// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace copybench {

/// The first version of Google Benchmark (as COPYBENCH_BENCHMARK_VERSION has them) whose
/// --benchmark_min_time takes a unit.
inline constexpr int version_with_suffixes = 10800;

/// A flag of Google Benchmark as it was given, on the command line or in the environment. What
/// reads its value throws UsageError, which names it.
struct BenchmarkFlag {
  std::string name;
  std::optional<std::string> value;

  [[noreturn]] void refuse(const std::string& problem) const;
  [[nodiscard]] const std::string& text() const;
};

[[nodiscard]] std::string one_of(const BenchmarkFlag& flag,
                                 std::initializer_list<std::string_view> values);

[[nodiscard]] bool read_switch(const BenchmarkFlag& flag);

/// A format that the run can finish in. Google Benchmark's CSV has one set of columns for all rows.
[[nodiscard]] std::string read_format(const BenchmarkFlag& flag);

/// From 0 to a day.
[[nodiscard]] double read_seconds(const BenchmarkFlag& flag, std::string_view text);

/// How long a case is measured at least, or for how many iterations.
struct MinTime {
  double seconds = 0;
  bool fixed_iterations = false;
  /// What Google Benchmark of this version has to be given.
  std::string argument{};
};
[[nodiscard]] MinTime read_min_time(const BenchmarkFlag& flag, int version);

/// The keys of KEY=VALUE[,KEY=VALUE...].
[[nodiscard]] std::vector<std::string> read_context_keys(const BenchmarkFlag& flag);

[[nodiscard]] int read_repetitions(const BenchmarkFlag& flag);

}  // namespace copybench
