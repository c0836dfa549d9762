// SPDX-License-Identifier: Apache-2.0
#include "common/run/remote/case_server.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string_view>
#include <sys/prctl.h>
#include <unistd.h>
#include <utility>

#include "common/affinity.hpp"
#include "common/environment/text.hpp"
#include "common/measurement/quiet_cpu.hpp"
#include "common/run/exit_status.hpp"
#include "common/run/message.hpp"
#include "common/run/remote/wire.hpp"
#include "common/suite/process_settings.hpp"

namespace copybench {
namespace {

constexpr std::string_view argument_prefix = "--copybench_serve_case=";

// The case between "start" and the end of the process.
class CaseServer {
 public:
  CaseServer(const std::vector<Family>& families, const SuiteHooks& hooks)
      : families_(families), hooks_(hooks) {}

  // What an exception is made of becomes the answer.
  Words answer(const Words& request) {
    try {
      return perform(request);
    } catch (const std::exception& error) {
      return {"error", error.what()};
    } catch (...) {
      return {"error", "an exception of unknown type"};
    }
  }

 private:
  Words perform(const Words& request) {
    WordReader reader(request);
    const std::string& what = reader.word();
    if (what == "start") {
      return start(reader);
    }
    if (what == "make") {
      return make();
    }
    if (what == "prepare") {
      return prepare(reader);
    }
    if (what == "sample") {
      measurement().sample(durations_);
      Words words{"sampled"};
      put_durations(words, durations_);
      return words;
    }
    if (what == "verify") {
      measurement().verify();
      return {"verified"};
    }
    if (what == "conclude") {
      const std::vector<Summary> summaries = reader.summaries();
      if (summaries.size() != measurement().figures().size()) {
        throw WireError("another number of summaries than of figures");
      }
      Words words{"concluded"};
      put_findings(words, measurement().conclude(summaries));
      return words;
    }
    throw WireError("an unknown request: \"" + what + "\"");
  }

  Words start(WordReader& reader) {
    const auto ordinal = static_cast<int>(reader.number());
    const std::optional<unsigned> flags = reader.flags();
    const std::vector<int> cpus = reader.cpus();
    values_ = parse_case_name(reader.word());
    // The parent's measuring thread may be confined, and this one began in the same place. The
    // threads of the driver begin where this one is now.
    (void)run_on(cpus);
    remember_all_cpus();
    if (flags) {
      set_device_flags(ordinal, *flags);
    }
    (void)hooks_.start_device(ordinal);
    return {"started"};
  }

  Words make() {
    if (!values_) {
      throw WireError("make before start");
    }
    const std::string name = values_->name();
    const auto family = std::ranges::find_if(
        families_, [&](const Family& one) { return one.name == name.substr(0, name.find('/')); });
    if (family == families_.end()) {
      throw WireError("no family has a case " + name);
    }
    // The old one may hold what the new one wants.
    measurement_.reset();
    measurement_ = hooks_.make_measurement(*family, *values_);
    const auto figures = measurement_->figures();
    durations_.assign(figures.size(), Nanoseconds{0});
    Words words{"made"};
    put_shape(words, {.figures = {figures.begin(), figures.end()},
                      .tracked = measurement_->tracked(),
                      .least_samples = measurement_->least_samples(),
                      .most_samples = measurement_->most_samples()});
    return words;
  }

  Words prepare(WordReader& reader) {
    const std::size_t seed = reader.number();
    if (std::vector<int> cpus = reader.cpus(); cpus != cpus_) {
      measure_on(cpus);
      cpus_ = std::move(cpus);
    }
    try {
      measurement().prepare(seed);
    } catch (const ProcessUsedUp&) {
      return {"used_up"};
    }
    return {"prepared"};
  }

  [[nodiscard]] Measurement& measurement() const {
    if (measurement_ == nullptr) {
      throw WireError("nothing has been made");
    }
    return *measurement_;
  }

  const std::vector<Family>& families_;
  const SuiteHooks& hooks_;
  std::optional<AxisValues> values_;
  std::vector<int> cpus_;
  std::unique_ptr<Measurement> measurement_;
  std::vector<Nanoseconds> durations_;
};

// The kernel ends this process when the thread that started it ends; it may have ended before.
void end_with(pid_t parent) {
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) {
    say("who asked for a case in a process of its own is not there any more");
    std::_Exit(exit_failed);
  }
}

// Whatever else the parent has open is not for this process: a pipe would stay open with it.
void close_inherited() {
  std::vector<int> open;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    const auto number = parse_number<int>(entry.path().filename().string());
    open.push_back(number.value_or(STDERR_FILENO));
  }
  for (const int number : open) {
    if (number > STDERR_FILENO) {
      (void)close(number);
    }
  }
}

// Gives back where the answers go. What a library prints must not get among them.
int take_standard_output() {
  const int answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  (void)dup2(nowhere, STDOUT_FILENO);
  (void)close(nowhere);
  return answers;
}

}  // namespace

std::string serving_argument(pid_t parent) {
  return std::string(argument_prefix) + std::to_string(parent);
}

std::optional<pid_t> parent_to_serve(std::span<char*> argv) {
  const std::string_view argument = argv.size() == 2 ? argv[1] : "";
  if (!argument.starts_with(argument_prefix)) {
    return std::nullopt;
  }
  return parse_number<pid_t>(argument.substr(argument_prefix.size()));
}

void serve_case(pid_t parent, const std::vector<Family>& families, const SuiteHooks& hooks) {
  end_with(parent);
  close_inherited();
  const int answers = take_standard_output();
  CaseServer server(families, hooks);
  std::string line;
  while (std::getline(std::cin, line)) {
    const std::optional<Words> request = decode(line);
    const Words answer =
        request ? server.answer(*request) : Words{"error", "an unreadable request"};
    if (write_all(answers, encode(answer)) != 0) {
      break;
    }
  }
  // The parent is gone, or through. Giving back the device step by step may take for ever.
  std::_Exit(exit_passed);
}

}  // namespace copybench
