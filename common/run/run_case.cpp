// SPDX-License-Identifier: Apache-2.0
#include "common/run/run_case.hpp"

#include <chrono>
#include <exception>
#include <iostream>
#include <memory>
#include <utility>

#include "common/environment/fact.hpp"
#include "common/measurement/pattern.hpp"
#include "common/run/exit_status.hpp"
#include "common/run/message.hpp"
#include "common/run/remote/own_processes.hpp"
#include "common/run/reporter.hpp"

namespace copybench {
namespace {

void skip(benchmark::State& state, const std::string& message) {
  state.SkipWithError(message.c_str());
  // Entering the loop, which does not run any more, gives the row the same number of iterations as
  // the good rows of its case. A debug build of Google Benchmark aborts when they differ.
  while (state.KeepRunning()) {
  }
}

}  // namespace

CaseRunner::CaseRunner(const CaseSettings& settings, const SuiteHooks& hooks, Journal& journal,
                       Progress& progress, Supervisor& supervisor, Ending& ending)
    : settings_(settings),
      hooks_(hooks),
      journal_(journal),
      progress_(progress),
      supervisor_(supervisor),
      ending_(ending),
      beat_([this] { supervisor_.beat(); }),
      placement_(settings.cpu),
      nvtx_(settings.nvtx),
      spans_(settings.cupti),
      timeline_(settings.timeline) {}

void CaseRunner::reserve_memory(const std::deque<CaseState>& states) {
  for (const CaseState& state : states) {
    supervisor_.beat();
    if (process_settings(*state.suite_case.family, state.suite_case.values).wants_own_process()) {
      continue;
    }
    try {
      (void)hooks_.make_measurement(*state.suite_case.family, state.suite_case.values);
    } catch (const std::exception& error) {
      // The case tries again when it is its turn, and fails if it has to.
      say(state.suite_case.name + ": not made ready beforehand: " + clean_value(error.what()));
    }
  }
}

void CaseRunner::enter(CaseState& state, benchmark::State& benchmark_state) {
  require_standard_output();
  const NvtxRange range(nvtx_, state.suite_case.name);
  progress_.begin(state.suite_case.name);
  journal_.begin(state.index, benchmark_state.max_iterations);
  Row row;
  double manual_seconds = 0;
  bool failed_now = false;
  bool lost = false;
  if (state.failure.empty()) {
    supervisor_.begin_watch();
    try {
      row = measure(state, benchmark_state, manual_seconds);
    } catch (const std::exception& error) {
      failed_now = true;
      fail(state, error.what());
    } catch (...) {
      failed_now = true;
      fail(state, "an exception of unknown type");
    }
    // Asked while the watchdog looks: a device that is dying may not answer.
    lost = failed_now && hooks_.context_is_lost();
    supervisor_.end_watch();
  }
  row.iterations = benchmark_state.max_iterations;
  if (!state.failure.empty()) {
    skip(benchmark_state, state.failure);
    row = {.iterations = row.iterations, .error = state.failure};
  }
  if (hooks_.simulated) {
    // As the reporters do, for the rows of a run that is cut short.
    row.counters[simulated_counter] = 1;
  }
  if (is_accepted(state, row, manual_seconds)) {
    journal_.add(state.index, std::move(row));
    progress_.finish_repetition();
  } else {
    journal_.end();
  }
  if (lost) {
    if (ending_.claim()) {
      ending_.end_early("the CUDA context was lost in " + state.suite_case.name +
                            "; the cases after it cannot run",
                        exit_failed);
    }
    Ending::wait_for_end();
  }
}

Row CaseRunner::measure(CaseState& state, benchmark::State& benchmark_state,
                        double& manual_seconds) {
  const auto make = [&] {
    // Observed from within, so that checking each sample is no part of it.
    return enforce(settings_.verify, timeline_.watch(hooks_.make_measurement(
                                         *state.suite_case.family, state.suite_case.values)));
  };
  placement_.settle();
  if (state.samples_per_batch == 0) {
    // An object of its own, so that what it counts does not show in the findings.
    const std::unique_ptr<Measurement> measurement = make();
    const Nanoseconds cost = warm_up(*measurement, next_seed(), settings_.batch_budget, beat_);
    state.samples_per_batch = samples_per_batch(
        settings_.batch_budget, cost, measurement->least_samples(), measurement->most_samples());
  }
  const std::unique_ptr<Measurement> measurement = make();
  Samples samples(measurement->figures().size());
  spans_.begin_entry();
  entry_batches_ = 0;
  discarded_batches_ = 0;
  disturbed_batches_ = 0;
  // The clock of Google Benchmark's cpu_time.
  const Nanoseconds cpu_begin = thread_cpu_time();
  while (benchmark_state.KeepRunning()) {
    const Nanoseconds median = take_quiet_batch(samples, *measurement, state.samples_per_batch);
    const double seconds = std::chrono::duration<double>(median).count();
    benchmark_state.SetIterationTime(seconds);
    manual_seconds += seconds;
  }
  const Nanoseconds cpu_time = thread_cpu_time() - cpu_begin;

  const std::vector<Summary> summaries = samples.summarize();
  const Findings findings = measurement->conclude(summaries);
  const auto iterations = static_cast<double>(benchmark_state.max_iterations);
  Row row{.real_time = manual_seconds * 1e9 / iterations,
          .cpu_time = static_cast<double>(cpu_time.count()) / iterations,
          .label = findings.label,
          .counters = row_counters(*measurement, summaries, findings)};
  spans_.add_to(row.counters);
  row.counters["cpu"] = CpuPlacement::current();
  row.counters["discarded_batches"] = static_cast<double>(discarded_batches_);
  row.counters["disturbed_batches"] = static_cast<double>(disturbed_batches_);
  for (const auto& [name, value] : row.counters) {
    benchmark_state.counters[name] = value;
  }
  benchmark_state.SetLabel(row.label.c_str());
  return row;
}

// Whether a batch counts is decided by the processor's speed alone, never by what was measured.
Nanoseconds CaseRunner::take_quiet_batch(Samples& samples, Measurement& measurement,
                                         std::size_t count) {
  constexpr int most_attempts = 3;
  for (int attempt = 1;; ++attempt) {
    placement_.settle();
    spans_.begin_batch();
    const TimePoint begin = now();
    const Nanoseconds median = take_named_batch(samples, measurement, count);
    // A long batch holds few long samples, which a busy neighbour changes least, and costs most.
    const bool is_long = now() - begin > 4 * settings_.batch_budget;
    const bool disturbed = !placement_.is_undisturbed();
    if (attempt == most_attempts || is_long || !disturbed) {
      disturbed_batches_ += disturbed ? 1 : 0;
      samples.keep_batch();
      spans_.keep_batch();
      return median;
    }
    ++discarded_batches_;
  }
}

Nanoseconds CaseRunner::take_named_batch(Samples& samples, Measurement& measurement,
                                         std::size_t count) {
  ++entry_batches_;
  const NvtxRange range(nvtx_, nvtx_.is_on() ? "batch " + std::to_string(entry_batches_) : "");
  return samples.take_batch(measurement, next_seed(), count, beat_);
}

void CaseRunner::fail(CaseState& state, const std::string& message) {
  // Google Benchmark does not escape control characters.
  state.failure = clean_value(message);
  ++failed_cases_;
  say(state.suite_case.name + ": " + state.failure);
}

std::uint64_t CaseRunner::next_seed() { return batch_seed(batches_++); }

// Google Benchmark enters the first repetition again with more iterations until their manual time
// adds up to the minimum; what it throws away is no row.
bool CaseRunner::is_accepted(const CaseState& state, const Row& row, double manual_seconds) const {
  return !row.error.empty() || settings_.fixed_iterations ||
         manual_seconds >= settings_.min_time_seconds || journal_.rows_of(state.index) > 0;
}

void CaseRunner::require_standard_output() {
  if (!settings_.needs_standard_output || std::cout) {
    return;
  }
  if (ending_.claim()) {
    ending_.end_early("standard output cannot be written to, and there is no --benchmark_out",
                      exit_failed);
  }
  Ending::wait_for_end();
}

}  // namespace copybench
