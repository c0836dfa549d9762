// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/measurement/call_spans.hpp"
#include "common/measurement/clock.hpp"
#include "common/run/cpu_policy.hpp"
#include "common/run/verify_policy.hpp"
#include "common/suite/axes.hpp"

namespace copybench {

/// The flags of this program, the --copybench_* ones.
struct Options {
  Profile profile = Profile::full;
  int device = 0;
  CpuPolicy cpu{};
  VerifyPolicy verify = VerifyPolicy::batch;
  bool list_skipped = false;
  bool progress = false;
  bool nvtx = false;
  /// Where spans of the timed calls come from, if anywhere.
  std::optional<SpanSource> cupti{};
  /// Where the timeline of a sample goes; empty for nowhere.
  std::string timeline{};
  bool help = false;
  bool version = false;
  /// KEY:VALUE[,VALUE...] as given; parse_axis_choice() reads them.
  std::vector<std::string> axes{};
  Nanoseconds watchdog = std::chrono::seconds(60);
  std::optional<Nanoseconds> budget{};
  /// Everything else, which is for Google Benchmark.
  std::vector<std::string> rest{};

  /// The wall-clock time that one batch may take.
  [[nodiscard]] Nanoseconds batch_budget() const;
};

[[nodiscard]] std::string_view profile_name(Profile profile);

/// `arguments` without the program's name. Throws UsageError for an unknown --copybench_* flag and
/// for a value that is malformed or out of range.
[[nodiscard]] Options parse_options(std::span<const std::string> arguments);

/// What --help prints of the flags above.
[[nodiscard]] std::string_view options_help();

}  // namespace copybench
