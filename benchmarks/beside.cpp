// SPDX-License-Identifier: Apache-2.0
// Who else waits: how long do a thread's own calls take while somebody else uses the device?
#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/beside_operations.hpp"
#include "benchmarks/families.hpp"
#include "benchmarks/neighbour.hpp"
#include "common/measurement/hold.hpp"
#include "common/measurement/verdict.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;

constexpr std::array<std::string_view, 1> figure_names{"blocked"};

// Longer than any call that does not wait: pinning 1 MiB takes about 0.3 ms, the others less. On a
// slower host the hold is longer.
constexpr Nanoseconds least_hold = 3ms;

struct Case {
  Operation operation;
  Beside beside;
};

Case parse(const AxisValues& values) {
  return {parse_axis<Operation>(values, "op", operation_names),
          parse_axis<Beside>(values, "beside", beside_names)};
}

class BesideOthers final : public Measurement {
 public:
  BesideOthers(const Case& parsed, Fixtures& fixtures)
      : neighbour_(parsed.beside, fixtures),
        operation_(parsed.operation, fixtures.stream(StreamKind::nonblocking),
                   fixtures.verifier()) {}

  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return 0; }
  std::size_t least_samples() const override { return 15; }

  void prepare(std::uint64_t seed) override {
    choose_hold();
    operation_.fill(seed);
    neighbour_.fill(seed);
  }

  void sample(std::span<Nanoseconds> durations) override {
    // By the scheduler's doing, what was to go on beside the call may have been over before it.
    // How long it went on after that says nothing against a sample: that the copy did not last as
    // long as the call may mean that the call waited for it.
    constexpr int most_attempts = 8;
    Sample taken = take();
    for (int i = 1; i < most_attempts && !taken.began_beside; ++i) {
      taken = take();
    }
    if (!taken.began_beside) {
      throw GateError(
          "what was to go on beside the call was over before the call, again and again");
    }
    durations[0] = taken.blocked;
    outlasted_ += taken.was_outlasted ? 1U : 0U;
    returned_after_opening_ += taken.returned_after_opening ? 1U : 0U;
    ++samples_;
  }

  void verify() override {
    operation_.verify();
    neighbour_.verify();
  }

  Findings conclude(std::span<const Summary> /*summaries*/) const override {
    Findings findings;
    const auto fraction = [&](std::size_t count) {
      return static_cast<double>(count) / static_cast<double>(samples_);
    };
    if (neighbour_.is_gated()) {
      findings.label = name_of(judge_busy(returned_after_opening_, samples_), verdict_names);
      findings.counters["most_hold_ns"] = static_cast<double>(hold_.count());
      findings.counters["waited_for_queue_fraction"] = fraction(returned_after_opening_);
    }
    if (neighbour_.has_copy()) {
      findings.counters["beside_fraction"] = fraction(outlasted_);
    }
    return findings;
  }

 private:
  struct Sample {
    Nanoseconds blocked;
    bool returned_after_opening;
    // The neighbour was there when the call began.
    bool began_beside;
    // The copy lasted at least as long as the call, or until the gate opened.
    bool was_outlasted;
  };

  // What the call itself takes, with nothing beside it, decides.
  void choose_hold() {
    if (!neighbour_.is_gated() || hold_ != Nanoseconds{0}) {
      return;
    }
    hold_ = hold_beyond(least_hold, [this] {
      operation_.prepare();
      const TimePoint begin = now();
      operation_.call();
      const Nanoseconds took = now() - begin;
      operation_.finish();
      return took;
    });
  }

  Sample take() {
    operation_.prepare();
    TimePoint opened;
    TimePoint begin;
    TimePoint returned;
    {
      const OpenOnExit guard(neighbour_.gate());
      neighbour_.begin(hold_);
      begin = now();
      operation_.call();
      returned = now();
      opened = neighbour_.open();
    }
    neighbour_.end();
    operation_.finish();
    // begin() has seen the other thread enter.
    const TimePoint left = neighbour_.left();
    return {returned - begin, opened < returned, begin < std::min(left, opened),
            left >= std::min(returned, opened)};
  }

  Neighbour neighbour_;
  PreparedOperation operation_;
  Nanoseconds hold_{0};
  std::size_t samples_ = 0;
  std::size_t outlasted_ = 0;
  std::size_t returned_after_opening_ = 0;
};

MemoryNeeds memory_needs(const AxisValues& values) {
  return Neighbour::memory_needs(parse(values).beside);
}

std::vector<Sweep> sweeps() {
  const std::vector<std::string> all(operation_names.begin(), operation_names.end());
  const std::vector<std::string> tracked{"copy_pinned_h2d", "malloc", "free"};
  return {{"What does each call cost by itself?", {{"op", all}, {"beside", {"nothing"}}}, false},
          {"Which calls wait for work in a stream that has nothing to do with them?",
           {{"op", all, tracked}, {"beside", {"gate"}}}},
          {"Which calls wait while another thread sits in a pageable copy behind such work?",
           {{"op", all, tracked}, {"beside", {"blocked_copy"}}}},
          {"What does each call cost while another thread is busy staging a pageable copy?",
           {{"op", all}, {"beside", {"staging_copy"}}},
           false}};
}

}  // namespace

Family beside_family() {
  return {"beside", sweeps(),
          [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
            return std::make_unique<BesideOthers>(parse(values), fixtures);
          },
          memory_needs};
}

}  // namespace copybench
