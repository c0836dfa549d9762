// SPDX-License-Identifier: Apache-2.0
#include "common/run/suite_run.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <unistd.h>
#include <utility>

#include <benchmark/benchmark.h>

#include "common/measurement/clock.hpp"
#include "common/named_enum.hpp"
#include "common/run/context.hpp"
#include "common/run/exit_status.hpp"
#include "common/run/message.hpp"
#include "common/run/publication.hpp"
#include "common/run/reporter.hpp"
#include "common/run/result_tables.hpp"
#include "common/run/signals.hpp"
#include "common/run/system_error.hpp"

namespace copybench {
namespace {

// Said before the first row and after the last, whatever the rows are cut out for.
void warn_if_simulated(bool simulated) {
  if (simulated) {
    say("SIMULATED: this program runs on a simulated CUDA runtime; none of its figures is a "
        "measurement");
  }
}

std::string milliseconds_text(Nanoseconds time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
}

}  // namespace

SuiteRun::SuiteRun(const Plan& plan, const SuiteHooks& hooks, const sigset_t& signals)
    : plan_(plan),
      hooks_(hooks),
      ending_(journal_, progress_, signals,
              {.file = plan.file ? &*plan.file : nullptr,
               .file_is_json = plan.flags.out_format == "json",
               .standard_output_is_json = plan.flags.format == "json"}),
      supervisor_(signals, plan.options.watchdog,
                  {.on_signal = [this](int signal) { end_by_signal(signal); },
                   .on_stall = [this] { end_by_stall(); }}),
      runner_({.batch_budget = plan.options.batch_budget(),
               .cpu = plan.options.cpu,
               .verify = plan.options.verify,
               .min_time_seconds = plan.flags.min_time_seconds,
               .fixed_iterations = plan.flags.fixed_iterations,
               .needs_standard_output = !plan.file,
               .nvtx = plan.options.nvtx,
               .cupti = plan.options.cupti,
               .timeline = plan.timeline.has_value()},
              hooks, journal_, progress_, supervisor_, ending_) {}

void SuiteRun::end_by_signal(int signal) {
  if (!ending_.claim()) {
    // The run is over. Writing a regular file goes on; anything else may be waiting for a reader.
    if (ending_.is_interruptible()) {
      say("ended by " + std::string(signal_name(signal)) + " while the results were written");
      std::_Exit(exit_signal + signal);
    }
    return;
  }
  const std::string current = journal_.current();
  ending_.end_early(
      "ended by " + std::string(signal_name(signal)) + (current.empty() ? "" : " in " + current),
      exit_signal + signal);
}

void SuiteRun::end_by_stall() {
  if (!ending_.claim()) {
    return;
  }
  const std::string error =
      "no progress for " + milliseconds_text(plan_.options.watchdog) + " ms (--copybench_watchdog)";
  const std::string current = journal_.current();
  const std::string reason = (current.empty() ? stage_.load() : current) + ": " + error;
  journal_.fail_current(error);
  ending_.end_early(reason, exit_failed);
}

void SuiteRun::begin_stage(const char* name) {
  stage_ = name;
  supervisor_.begin_watch();
}

int SuiteRun::execute() {
  begin_stage("starting the device");
  const Device device = hooks_.start_device(plan_.options.device);
  supervisor_.end_watch();
  runner_.prefer_cpus(device.near_cpus);
  Selection selection = select_cases(
      plan_.cases, device, {.host = hooks_.free_host_memory(), .device = device.free_bytes});
  if (plan_.options.list_skipped) {
    const std::string text = skipped_text(selection.skipped, "\n");
    if (const int error = write_all(STDOUT_FILENO, text + (text.empty() ? "" : "\n")); error != 0) {
      say("standard output: " + system_message(error));
      return exit_failed;
    }
    return exit_passed;
  }
  begin_stage("starting CUPTI");
  runner_.start_recorders();
  supervisor_.end_watch();
  begin_stage("describing the device");
  describe(device, selection.skipped);
  supervisor_.end_watch();
  if (selection.runnable.empty()) {
    for (const SkippedCase& one : selection.skipped) {
      say(one.name + ": not run: " + one.reason);
    }
  } else if (!selection.skipped.empty()) {
    say(std::to_string(selection.skipped.size()) +
        " cases cannot run here; --copybench_list_skipped says why");
  }
  register_cases(std::move(selection.runnable));
  warn_if_simulated(hooks_.simulated);
  const int status = measure();
  warn_if_simulated(hooks_.simulated);
  return status;
}

void SuiteRun::describe(const Device& device, const std::vector<SkippedCase>& skipped) {
  Facts facts =
      hooks_.describe_environment({.device = device.ordinal,
                                   .profile = std::string(profile_name(plan_.options.profile)),
                                   .command_line = plan_.command_line});
  add_fact(facts, "clock_cost_ns", std::to_string(measure_clock_cost().count()));
  add_fact(facts, "measuring_cpu", to_string(plan_.options.cpu));
  add_fact(facts, "verify", std::string(name_of(plan_.options.verify, verify_policy_names)));
  add_fact(facts, "batch_budget_ms", milliseconds_text(plan_.options.batch_budget()));
  if (plan_.options.cupti) {
    add_fact(facts, "cupti", std::string(name_of(*plan_.options.cupti, span_source_names)));
  }
  // As long as it has to be, unlike a fact that was read from somewhere.
  facts.push_back({"skipped", skipped.empty() ? "none" : skipped_text(skipped, "; ")});
  add_context(facts, plan_.flags.context_keys);
}

void SuiteRun::register_cases(std::vector<SuiteCase> cases) {
  std::vector<std::string> names;
  for (SuiteCase& one : cases) {
    names.push_back(one.name);
    CaseState& state = states_.emplace_back(CaseState{std::move(one), states_.size()});
    benchmark::RegisterBenchmark(names.back().c_str(),
                                 [this, &state](benchmark::State& benchmark_state) {
                                   runner_.enter(state, benchmark_state);
                                 })
        ->UseManualTime()
        ->Unit(benchmark::kNanosecond);
  }
  journal_.open(render_context(), std::move(names), plan_.flags.repetitions);
}

int SuiteRun::measure() {
  if (plan_.options.progress) {
    progress_.start(states_.size() * static_cast<std::size_t>(plan_.flags.repetitions));
  }
  BufferedReporter standard_output("json", hooks_.simulated);
  BufferedReporter file(plan_.flags.out_format, hooks_.simulated);
  TidyReporter console(*benchmark::CreateDefaultDisplayReporter(), hooks_.simulated);
  begin_stage("reserving memory");
  runner_.reserve_memory(states_);
  supervisor_.end_watch();
  if (!states_.empty()) {
    benchmark::RunSpecifiedBenchmarks(
        plan_.flags.format == "json" ? standard_output.get() : &console,
        plan_.file ? file.get() : nullptr, "all");
  }
  const std::optional<Timeline> timeline = take_timeline();
  if (!ending_.claim()) {
    Ending::wait_for_end();
  }
  progress_.clear();
  const ResultTables tables = journal_.tables();
  std::string document = with_tables(standard_output.text(), tables);
  std::string file_text = plan_.flags.out_format == "json"
                              ? with_tables(file.text(), tables)
                              : file.text() + result_tables_text(tables);
  if (plan_.flags.format != "json") {
    std::cout << result_tables_text(tables);
  }
  if (states_.empty()) {
    // Nothing could run, and the result says so.
    document = journal_.document();
    file_text = plan_.flags.out_format == "json" ? document : "";
  }
  // In this order: a reader of the picture that does not read must not keep the result from its
  // file.
  const int published = publish_result(plan_, {document, file_text}, ending_);
  const int drawn = publish_timeline(plan_, timeline);
  return runner_.failed_cases() > 0 ? exit_failed : std::max(published, drawn);
}

// Whoever records may be waited for in vain.
std::optional<Timeline> SuiteRun::take_timeline() {
  if (!plan_.timeline || states_.empty()) {
    return std::nullopt;
  }
  begin_stage("reading the timeline");
  std::optional<Timeline> timeline;
  try {
    timeline = runner_.take_timeline(states_.front().suite_case.name);
  } catch (const std::exception& error) {
    say(error.what());
  }
  supervisor_.end_watch();
  return runner_.failed_cases() == 0 ? timeline : std::nullopt;
}

}  // namespace copybench
