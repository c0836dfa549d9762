// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <csignal>
#include <deque>
#include <optional>
#include <string>

#include "common/run/ending.hpp"
#include "common/run/journal.hpp"
#include "common/run/plan.hpp"
#include "common/run/progress.hpp"
#include "common/run/run_case.hpp"
#include "common/run/suite_hooks.hpp"
#include "common/run/supervisor.hpp"

namespace copybench {

/// A plan put into effect: one process, one device, one result.
class SuiteRun {
 public:
  /// From here on a signal ends the process.
  SuiteRun(const Plan& plan, const SuiteHooks& hooks, const sigset_t& signals);

  /// Starts the device, runs what it can run and publishes the result. Returns the exit status.
  /// Throws UsageError, and what start_device() throws.
  [[nodiscard]] int execute();

 private:
  void end_by_signal(int signal);
  void end_by_stall();
  /// What is under way while no case is, for the watchdog to name. A literal.
  void begin_stage(const char* name);
  void describe(const Device& device, const std::vector<SkippedCase>& skipped);
  void register_cases(std::vector<SuiteCase> cases);
  [[nodiscard]] int measure();
  [[nodiscard]] std::optional<Timeline> take_timeline();

  const Plan& plan_;
  const SuiteHooks& hooks_;
  Journal journal_;
  Progress progress_;
  Ending ending_;
  std::atomic<const char*> stage_{""};
  // Google Benchmark keeps references to the elements.
  std::deque<CaseState> states_;
  // The supervisor's thread uses what stands above it.
  Supervisor supervisor_;
  CaseRunner runner_;
};

}  // namespace copybench
