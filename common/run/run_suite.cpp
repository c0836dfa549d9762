// SPDX-License-Identifier: Apache-2.0
#include "common/run/run_suite.hpp"

#include <exception>
#include <span>
#include <string>
#include <unistd.h>

#include <benchmark/benchmark.h>

#include "common/environment/build_facts.hpp"
#include "common/measurement/quiet_cpu.hpp"
#include "common/run/exit_status.hpp"
#include "common/run/message.hpp"
#include "common/run/plan.hpp"
#include "common/run/remote/case_server.hpp"
#include "common/run/remote/own_processes.hpp"
#include "common/run/signals.hpp"
#include "common/run/suite_run.hpp"
#include "common/run/system_error.hpp"

namespace copybench {
namespace {

int print(const std::string& text) {
  if (const int error = write_all(STDOUT_FILENO, text); error != 0) {
    say("standard output: " + system_message(error));
    return exit_failed;
  }
  return exit_passed;
}

int print_help() {
  const int status = print(std::string(options_help()) + "\n");
  benchmark::PrintDefaultHelp();
  return status;
}

int print_version() {
  Facts facts;
  add_build_facts(facts);
  std::string text = "copybench\n";
  for (const Fact& fact : facts) {
    text += fact.key + ": " + fact.value + "\n";
  }
  return print(text);
}

int print_names(const std::vector<SuiteCase>& cases) {
  std::string text;
  for (const SuiteCase& one : cases) {
    text += one.name + "\n";
  }
  return print(text);
}

int run(std::span<char*> argv, const std::vector<Family>& families, const SuiteHooks& hooks) {
  occupy_closed_streams();
  ignore_write_signals();
  remember_all_cpus();
  // A filter may take for ever, and so may whoever reads a list: signals still end the process.
  Plan plan = make_plan(argv, families);
  if (plan.options.help) {
    return print_help();
  }
  if (plan.options.version) {
    return print_version();
  }
  if (plan.flags.list_tests) {
    return print_names(plan.cases);
  }
  const sigset_t signals = hold_back_signals();
  open_output(plan);
  const SuiteHooks all_hooks = with_own_processes(hooks, plan.options.device);
  try {
    const int status = SuiteRun(plan, all_hooks, signals).execute();
    // Giving back the device may hang, and nothing is left to lose.
    release_signals(signals);
    end_after(plan.options.watchdog);
    return status;
  } catch (const NoSuchDevice& error) {
    throw UsageError("--copybench_device=" + std::to_string(plan.options.device) + ": " +
                     error.what());
  }
}

}  // namespace

int run_suite(int argc, char** argv, const std::vector<Family>& families, const SuiteHooks& hooks) {
  const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
  if (const auto parent = parent_to_serve(arguments)) {
    serve_case(*parent, families, hooks);
  }
  try {
    return run(arguments, families, hooks);
  } catch (const UsageError& error) {
    say(error.what());
    return exit_usage;
  } catch (const NoUsableDevice& error) {
    say(error.what() +
        std::string(hooks.simulated ? "" : "; copybench_sim, where it is built, needs no GPU"));
    return exit_no_device;
  } catch (const std::exception& error) {
    say(error.what());
    return exit_failed;
  }
}

}  // namespace copybench
