// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/run/benchmark_flags.hpp"
#include "common/run/options.hpp"
#include "common/run/output_file.hpp"
#include "common/run/timeline_files.hpp"
#include "common/suite/family.hpp"
#include "common/suite/registry.hpp"

namespace copybench {

/// Everything that is settled before the device is started.
struct Plan {
  std::string program{};
  std::string command_line{};
  Options options{};
  BenchmarkFlags flags{};
  /// The cases that the profile, the axes and the filter leave, never none.
  std::vector<SuiteCase> cases{};
  /// There after open_output(), when something is measured and --benchmark_out is given.
  std::optional<OutputFile> file{};
  /// Likewise, when a timeline is asked for.
  std::optional<TimelineFiles> timeline{};
};

/// Reads the command line, `argv` with the program's name, and hands Google Benchmark its part.
/// With
/// --help or --version only the options are read. The cases point into `families`. Throws
/// UsageError.
[[nodiscard]] Plan make_plan(std::span<char*> argv, const std::vector<Family>& families);

/// Tries out the files of --benchmark_out and --copybench_timeline. A signal that ended the process
/// meanwhile would leave a temporary file behind, so hold them back first. Throws UsageError.
void open_output(Plan& plan);

}  // namespace copybench
