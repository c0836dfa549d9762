// SPDX-License-Identifier: Apache-2.0
#include "common/run/reporter.hpp"

#include <cmath>

namespace copybench {
namespace {

void make_finite(double& value) { value = std::isfinite(value) ? value : 0; }

std::unique_ptr<benchmark::BenchmarkReporter> make_reporter(const std::string& format) {
  if (format == "json") {
    return std::make_unique<benchmark::JSONReporter>();
  }
  return std::make_unique<benchmark::ConsoleReporter>(benchmark::ConsoleReporter::OO_None);
}

}  // namespace

void TidyReporter::ReportRuns(const std::vector<Run>& runs) {
  std::vector<Run> tidy = runs;
  for (Run& run : tidy) {
    run.run_name.time_type.clear();
    make_finite(run.real_accumulated_time);
    make_finite(run.cpu_accumulated_time);
    for (auto& [name, counter] : run.counters) {
      make_finite(counter.value);
    }
    if (simulated_) {
      run.counters[simulated_counter] = 1;
    }
  }
  inner_.ReportRuns(tidy);
}

BufferedReporter::BufferedReporter(const std::string& format, bool simulated)
    : inner_(make_reporter(format)), tidy_(*inner_, simulated) {
  inner_->SetOutputStream(&text_);
  inner_->SetErrorStream(&text_);
}

}  // namespace copybench
