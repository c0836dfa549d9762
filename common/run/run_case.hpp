// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "common/run/batch.hpp"
#include "common/run/cpu_policy.hpp"
#include "common/run/ending.hpp"
#include "common/run/journal.hpp"
#include "common/run/nvtx.hpp"
#include "common/run/progress.hpp"
#include "common/run/span_recorder.hpp"
#include "common/run/suite_hooks.hpp"
#include "common/run/supervisor.hpp"
#include "common/run/timeline_recorder.hpp"
#include "common/run/verify_policy.hpp"
#include "common/suite/registry.hpp"

namespace copybench {

/// What Google Benchmark's re-entries of a case share.
struct CaseState {
  SuiteCase suite_case;
  /// Its place in the journal.
  std::size_t index;
  /// 0 until the case has warmed up.
  std::size_t samples_per_batch = 0;
  /// Why the case failed, for good: Google Benchmark crashes when the first repetition of a case
  /// fails and a later one does not.
  std::string failure{};
};

struct CaseSettings {
  Nanoseconds batch_budget;
  CpuPolicy cpu;
  VerifyPolicy verify;
  double min_time_seconds;
  bool fixed_iterations;
  /// Without a file, a run whose standard output is gone has nobody left to report to.
  bool needs_standard_output;
  bool nvtx;
  std::optional<SpanSource> cupti;
  bool timeline;
};

/// Runs cases, one entry at a time. Not thread-safe.
class CaseRunner {
 public:
  /// Throws UsageError when this program cannot do what the settings ask for.
  CaseRunner(const CaseSettings& settings, const SuiteHooks& hooks, Journal& journal,
             Progress& progress, Supervisor& supervisor, Ending& ending);

  /// Has CUPTI observe the calls, or whoever records them for a timeline, if the settings ask for
  /// it. Comes after the device is started.
  void start_recorders() {
    spans_.start();
    timeline_.start();
  }

  /// That of the last sample; nothing when there is none, or none was asked for.
  [[nodiscard]] std::optional<Timeline> take_timeline(const std::string& case_name) {
    return timeline_.take(case_name, hooks_.simulated);
  }

  /// Lets the fixtures grow to what the cases will ask for, so that the first repetitions do not
  /// run in other memory than the later ones. Those of processes that are yet to be started cannot.
  void reserve_memory(const std::deque<CaseState>& states);

  /// The body of a benchmark. Never throws.
  void enter(CaseState& state, benchmark::State& benchmark_state);

  /// Where the measuring thread should stay if it has the choice.
  void prefer_cpus(const std::vector<int>& near) { placement_.prefer(near); }

  [[nodiscard]] std::size_t failed_cases() const noexcept { return failed_cases_; }

 private:
  Row measure(CaseState& state, benchmark::State& benchmark_state, double& manual_seconds);
  /// Takes one batch; takes it anew, a few times at most, when a neighbour of the processor got
  /// busy meanwhile. Returns its median.
  Nanoseconds take_quiet_batch(Samples& samples, Measurement& measurement, std::size_t count);
  Nanoseconds take_named_batch(Samples& samples, Measurement& measurement, std::size_t count);
  void fail(CaseState& state, const std::string& message);
  [[nodiscard]] std::uint64_t next_seed();
  [[nodiscard]] bool is_accepted(const CaseState& state, const Row& row,
                                 double manual_seconds) const;
  void require_standard_output();

  CaseSettings settings_;
  const SuiteHooks& hooks_;
  Journal& journal_;
  Progress& progress_;
  Supervisor& supervisor_;
  Ending& ending_;
  Beat beat_;
  CpuPlacement placement_;
  Nvtx nvtx_;
  SpanRecorder spans_;
  TimelineRecorder timeline_;
  std::uint64_t batches_ = 0;
  // Of the entry in progress.
  std::size_t entry_batches_ = 0;
  std::size_t discarded_batches_ = 0;
  std::size_t disturbed_batches_ = 0;
  std::size_t failed_cases_ = 0;
};

}  // namespace copybench
