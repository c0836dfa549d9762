// SPDX-License-Identifier: Apache-2.0
#include "tests/end_to_end/fake_process.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>

#include <cuda_runtime_api.h>

#include "common/affinity.hpp"
#include "common/cuda/check.hpp"
#include "common/environment/text.hpp"
#include "common/measurement/quiet_cpu.hpp"
#include "common/run/message.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""s;

constexpr const char* variable = "COPYBENCH_FAKE_OWN_PROCESS";

enum class Stage { never, make, prepare, sample, verify, conclude };
constexpr std::array<std::string_view, 6> stage_names{"never",  "make",   "prepare",
                                                      "sample", "verify", "conclude"};
enum class Act {
  nothing,
  throws,
  throws_cuda,
  throws_odd,
  dies,
  exits,
  stalls,
  babbles,
  is_used_up
};
constexpr std::array<std::string_view, 9> act_names{"nothing",    "throws",  "throws_cuda",
                                                    "throws_odd", "dies",    "exits",
                                                    "stalls",     "babbles", "is_used_up"};

void perform(Act act) {
  switch (act) {
    case Act::nothing:
    case Act::is_used_up:
      return;
    case Act::throws:
      throw std::runtime_error("an \"odd\"\n \\text\twith ends");
    case Act::throws_cuda:
      check(cudaErrorInvalidValue, "cudaMemcpyAsync");
      return;
    case Act::throws_odd:
      throw std::string("not an exception");
    case Act::dies:
      (void)std::raise(SIGKILL);
      return;
    case Act::exits:
      std::_Exit(7);
    case Act::stalls:
      while (true) {
        std::this_thread::sleep_for(1s);
      }
    case Act::babbles:
      // The first descriptor that is not a standard one is where the answers go.
      (void)write_all(STDERR_FILENO + 1, "well, well \\q\n");
      return;
  }
}

std::size_t open_descriptors() {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

std::size_t cpus_of_a_helper() {
  std::size_t count = 0;
  std::jthread([&] {
    leave_measuring_cpu();
    count = allowed_cpus().size();
  }).join();
  return count;
}

class FakeProcess final : public Measurement {
 public:
  FakeProcess(Stage stage, Act act) : stage_(stage), act_(act) { enter(Stage::make); }

  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return 1; }
  std::size_t least_samples() const override { return 3; }
  std::size_t most_samples() const override { return 4; }

  void prepare(std::uint64_t /*seed*/) override {
    taken_ = 0;
    enter(Stage::prepare);
    constexpr int most = 3;
    static int prepared = 0;
    if (act_ == Act::is_used_up && ++prepared > most) {
      throw ProcessUsedUp("three times is enough");
    }
  }

  void sample(std::span<Nanoseconds> durations) override {
    std::cout << "noise on standard output" << '\n' << std::flush;
    enter(Stage::sample);
    durations[0] = Nanoseconds(7);
    durations[1] = Nanoseconds(70 + ++taken_);
  }

  void verify() override { enter(Stage::verify); }

  Findings conclude(std::span<const Summary> summaries) const override {
    enter(Stage::conclude);
    const char* const value = std::getenv(variable);
    return {"sleeps",
            {{"echo", parse_number<double>(value == nullptr ? "" : value).value_or(-1)},
             {"pid", static_cast<double>(getpid())},
             {"third", 1.0 / 3.0},
             {"seen_samples", static_cast<double>(summaries[1].samples)},
             {"seen_p90", static_cast<double>(summaries[1].p90.value_or(Nanoseconds(-1)).count())},
             {"descriptors", static_cast<double>(open_descriptors())},
             {"measuring_cpus", static_cast<double>(allowed_cpus().size())},
             {"measuring_on", allowed_cpus().empty() ? -1 : allowed_cpus().front()},
             {"helper_cpus", static_cast<double>(cpus_of_a_helper())}}};
  }

 private:
  static constexpr std::array<std::string_view, 2> figure_names{"waited", "latency"};

  void enter(Stage stage) const {
    if (stage == stage_) {
      perform(act_);
    }
  }

  Stage stage_;
  Act act_;
  int taken_ = 0;
};

}  // namespace

Family fake_process_family() {
  const std::vector<std::string> stages(stage_names.begin() + 1, stage_names.end());
  return {
      .name = std::string(fake_process_name),
      .sweeps = {{"What reaches a process of its own?",
                  {{"stage", {"never"}}, {"act", {"nothing", "is_used_up"}}},
                  false},
                 {"What goes wrong in it?",
                  {{"stage", stages},
                   {"act",
                    {"throws", "throws_cuda", "throws_odd", "dies", "exits", "stalls", "babbles"}}},
                  false}},
      .make = {},
      .memory_needs = {},
      .process = [](const AxisValues&) {
        return ProcessSettings{.environment = {{variable, "0.1"}}, .device_flags = {}};
      }};
}

std::unique_ptr<Measurement> make_fake_process(const AxisValues& values) {
  return std::make_unique<FakeProcess>(parse_axis<Stage>(values, "stage", stage_names),
                                       parse_axis<Act>(values, "act", act_names));
}

}  // namespace copybench
