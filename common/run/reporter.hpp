// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

namespace copybench {

/// The counter, 1, of every row of a simulated run.
inline constexpr const char* simulated_counter = "simulated";

/// Hands rows on to one of Google Benchmark's reporters, having put right what Google Benchmark
/// does to them:
///   names    "/manual_time" behind the name of every case goes: all of them have it
///   numbers  NaN, which the coefficient of variation of a counter that is always 0 becomes in
///   versions
///            before 1.8, is no JSON; it becomes 0
///   simulated
///            rows without a measurement behind them all say so, aggregates and failures too
class TidyReporter : public benchmark::BenchmarkReporter {
 public:
  TidyReporter(benchmark::BenchmarkReporter& inner, bool simulated)
      : inner_(inner), simulated_(simulated) {}

  bool ReportContext(const Context& context) override { return inner_.ReportContext(context); }
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override { inner_.Finalize(); }

 private:
  benchmark::BenchmarkReporter& inner_;
  bool simulated_;
};

/// Keeps the whole text in memory, so that it can be published whole or not at all, and a full disk
/// is noticed, which Google Benchmark does not do.
class BufferedReporter final {
 public:
  /// "json" or "console".
  BufferedReporter(const std::string& format, bool simulated);

  [[nodiscard]] benchmark::BenchmarkReporter* get() noexcept { return &tidy_; }
  [[nodiscard]] std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::unique_ptr<benchmark::BenchmarkReporter> inner_;
  TidyReporter tidy_;
};

}  // namespace copybench
