// SPDX-License-Identifier: Apache-2.0
#include "common/run/plan.hpp"

#include <cstdlib>

#include <benchmark/benchmark.h>

#include "common/environment/fact.hpp"
#include "common/environment/text.hpp"
#include "common/run/axis_choice.hpp"
#include "common/run/exit_status.hpp"
#include "common/run/name_filter.hpp"
#include "common/run/remote/own_processes.hpp"

#ifndef COPYBENCH_BENCHMARK_VERSION
#define COPYBENCH_BENCHMARK_VERSION 10701
#endif

namespace copybench {
namespace {

std::optional<std::string> read_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

void initialize_benchmark(const std::string& program, const std::vector<std::string>& flags) {
  // Google Benchmark keeps a pointer to the program's name.
  static std::vector<std::string> arguments;
  arguments = flags;
  // It prints the name as it is, and not every name makes valid JSON.
  arguments.insert(arguments.begin(), clean_value(program));
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) {
    pointers.push_back(argument.data());
  }
  int count = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  benchmark::Initialize(&count, pointers.data());
  if (count > 1) {
    throw UsageError(std::string(pointers.at(1)) + ": unknown argument; --help lists them");
  }
}

std::vector<SuiteCase> matching_cases(const std::vector<Family>& families, Profile profile,
                                      const AxisChoice& choice, const NameFilter& filter) {
  std::vector<SuiteCase> cases = list_cases(families, profile, choice);
  std::erase_if(cases, [&](const SuiteCase& one) { return !filter.matches(one.name); });
  return cases;
}

// Leaves out what a family refuses; an error when nothing else is left.
void leave_out_refused(std::vector<SuiteCase>& cases) {
  std::string first;
  std::erase_if(cases, [&](const SuiteCase& one) {
    const auto& refuse = one.family->refuse;
    const std::optional<std::string> reason = refuse ? refuse(one.values) : std::nullopt;
    if (reason && first.empty()) {
      first = one.name + ": " + *reason;
    }
    return reason.has_value();
  });
  if (cases.empty()) {
    throw UsageError("--copybench_axis: " + first);
  }
}

// Which flag leaves no case: both, where each of them alone would leave some.
std::string empty_selection(const std::vector<Family>& families, Profile profile,
                            const AxisChoice& choice, const NameFilter& filter) {
  std::string filtered = "--benchmark_filter=" + filter.text();
  if (choice.empty()) {
    return filtered;
  }
  const NameFilter everything("");
  if (filter.text().empty() || matching_cases(families, profile, choice, everything).empty()) {
    return "--copybench_axis";
  }
  return matching_cases(families, profile, {}, filter).empty() ? filtered
                                                               : "--copybench_axis and " + filtered;
}

[[noreturn]] void refuse_selection(const std::vector<Family>& families, Profile profile,
                                   const AxisChoice& choice, const NameFilter& filter) {
  std::string text = empty_selection(families, profile, choice, filter) + ": no case of the " +
                     std::string(profile_name(profile)) + " profile matches";
  if (profile != Profile::full &&
      !matching_cases(families, Profile::full, choice, filter).empty()) {
    text += "; --copybench_profile=full has some";
  }
  throw UsageError(text);
}

// A picture has room for one case, and records of this process alone.
void require_drawable(const Plan& plan) {
  const std::string flag = "--copybench_timeline=" + plan.options.timeline;
  if (plan.cases.size() != 1) {
    throw UsageError(flag + ": " + std::to_string(plan.cases.size()) +
                     " cases match; --benchmark_filter has to leave a single one");
  }
  const SuiteCase& only = plan.cases.front();
  if (process_settings(*only.family, only.values).wants_own_process()) {
    throw UsageError(flag + ": " + only.name +
                     " is measured in a process of its own, which is not recorded");
  }
  if (plan.options.cupti) {
    throw UsageError(flag + ": not together with --copybench_cupti, which records as well");
  }
}

// A timeline is two files, and each would replace what the other, or the result, has written.
void require_files_of_their_own(const Plan& plan, const TimelineFiles& timeline) {
  const std::string flag = "--copybench_timeline=" + plan.options.timeline + ": ";
  const OutputFile& picture = timeline.picture();
  const OutputFile& trace = timeline.trace();
  if (picture.is_same_file(trace)) {
    throw UsageError(flag + picture.path() + " and " + trace.path() + " are the same file");
  }
  for (const OutputFile* file : {&picture, &trace}) {
    if (plan.file && plan.file->is_same_file(*file)) {
      throw UsageError(flag + file->path() + " is the file of --benchmark_out");
    }
  }
}

}  // namespace

Plan make_plan(std::span<char*> argv, const std::vector<Family>& families) {
  Plan plan;
  std::vector<std::string> arguments(argv.begin(), argv.end());
  if (arguments.empty()) {
    arguments.emplace_back("copybench");
  }
  plan.command_line = join(arguments, " ").value_or("");
  plan.program = arguments.front();
  arguments.erase(arguments.begin());

  plan.options = parse_options(arguments);
  if (plan.options.help || plan.options.version) {
    return plan;
  }
  plan.flags = check_benchmark_flags(plan.options.rest, COPYBENCH_BENCHMARK_VERSION, read_variable);
  const AxisChoice choice = parse_axis_choice(plan.options.axes, families);
  initialize_benchmark(plan.program, plan.flags.arguments);
  const NameFilter filter(plan.flags.filter);
  plan.cases = matching_cases(families, plan.options.profile, choice, filter);
  if (plan.cases.empty()) {
    refuse_selection(families, plan.options.profile, choice, filter);
  }
  leave_out_refused(plan.cases);
  return plan;
}

void open_output(Plan& plan) {
  const bool will_measure = !plan.flags.list_tests && !plan.options.list_skipped;
  if (!will_measure) {
    return;
  }
  if (!plan.options.timeline.empty()) {
    require_drawable(plan);
    plan.timeline.emplace(plan.options.timeline);
  }
  if (!plan.flags.out.empty()) {
    plan.file.emplace(plan.flags.out);
  }
  if (plan.timeline) {
    require_files_of_their_own(plan, *plan.timeline);
  }
}

}  // namespace copybench
