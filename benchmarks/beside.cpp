// SPDX-License-Identifier: Apache-2.0
// Who else waits: how long do a thread's own calls take while somebody else uses the device?
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/beside_operations.hpp"
#include "benchmarks/families.hpp"
#include "common/cuda/copy.hpp"
#include "common/measurement/helper_thread.hpp"
#include "common/measurement/hold.hpp"
#include "common/measurement/verdict.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""us;

constexpr std::array<std::string_view, 1> figure_names{"blocked"};

/// What goes on beside the call: nothing; a gate in another stream; another thread that sits in a
/// pageable copy to the host, behind a gate in its own stream; another thread that is busy staging
/// a pageable copy to the device.
enum class Beside { nothing, gate, blocked_copy, staging_copy };
constexpr std::array<std::string_view, 4> beside_names{"nothing", "gate", "blocked_copy",
                                                       "staging_copy"};

bool is_gated(Beside beside) { return beside == Beside::gate || beside == Beside::blocked_copy; }
bool has_copy(Beside beside) {
  return beside == Beside::blocked_copy || beside == Beside::staging_copy;
}

struct Case {
  Operation operation;
  Beside beside;

  // Of the other thread's copy. Staging 32 MiB takes about 4 ms, ten times what any call lasts by
  // itself.
  [[nodiscard]] std::size_t copied_bytes() const {
    return beside == Beside::staging_copy ? std::size_t{32} << 20U : std::size_t{1} << 20U;
  }
  [[nodiscard]] Direction direction() const {
    return beside == Beside::staging_copy ? Direction::h2d : Direction::d2h;
  }
  [[nodiscard]] MemoryKind source() const {
    return direction() == Direction::h2d ? MemoryKind::pageable : MemoryKind::device;
  }
  [[nodiscard]] MemoryKind destination() const {
    return direction() == Direction::h2d ? MemoryKind::device : MemoryKind::pageable;
  }
};

Case parse(const AxisValues& values) {
  return {parse_axis<Operation>(values, "op", operation_names),
          parse_axis<Beside>(values, "beside", beside_names)};
}

// Longer than any call that does not wait: pinning 1 MiB takes about 0.3 ms, the others less. On a
// slower host the hold is longer.
constexpr Nanoseconds least_hold = 3ms;
// From the moment a thread is about to enter its copy until it sits in the driver for certain.
constexpr Nanoseconds settling = 300us;

class BesideOthers final : public Measurement {
 public:
  BesideOthers(const Case& parsed, Fixtures& fixtures)
      : case_(parsed),
        source_(fixtures.region(parsed.source(), Role::source, parsed.copied_bytes())),
        destination_(
            fixtures.region(parsed.destination(), Role::destination, parsed.copied_bytes())),
        own_(fixtures.stream(StreamKind::nonblocking)),
        other_(fixtures.other_stream(StreamKind::nonblocking)),
        gate_(fixtures.gate()),
        verifier_(fixtures.verifier()),
        operation_(parsed.operation, own_, verifier_) {
    if (has_copy(parsed.beside)) {
      helper_ = std::make_unique<HelperThread>();
    }
  }

  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return 0; }
  std::size_t least_samples() const override { return 15; }

  void prepare(std::uint64_t seed) override {
    choose_hold();
    seed_ = seed;
    operation_.fill(seed);
    if (has_copy(case_.beside)) {
      verifier_.fill(source_, seed);
      verifier_.poison(destination_);
    }
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
    if (has_copy(case_.beside)) {
      verifier_.verify(destination_, seed_);
    }
  }

  Findings conclude(std::span<const Summary> /*summaries*/) const override {
    Findings findings;
    const auto fraction = [&](std::size_t count) {
      return static_cast<double>(count) / static_cast<double>(samples_);
    };
    if (is_gated(case_.beside)) {
      findings.label = name_of(judge_busy(returned_after_opening_, samples_), verdict_names);
      findings.counters["most_hold_ns"] = static_cast<double>(hold_.count());
      findings.counters["waited_for_queue_fraction"] = fraction(returned_after_opening_);
    }
    if (has_copy(case_.beside)) {
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
    if (!is_gated(case_.beside) || hold_ != Nanoseconds{0}) {
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
    TimePoint opened = TimePoint::max();
    TimePoint begin;
    TimePoint returned;
    {
      const OpenOnExit guard(gate_);
      begin_beside();
      begin = now();
      operation_.call();
      returned = now();
      if (is_gated(case_.beside)) {
        opened = gate_.open();
      }
    }
    end_beside();
    operation_.finish();
    // begin_beside() has seen the other thread enter.
    const TimePoint left = has_copy(case_.beside) ? left_ : TimePoint::max();
    return {returned - begin, opened < returned, begin < std::min(left, opened),
            left >= std::min(returned, opened)};
  }

  void begin_beside() {
    if (is_gated(case_.beside)) {
      gate_.close(other_);
    }
    if (has_copy(case_.beside)) {
      entered_ = TimePoint{};
      helper_->start([this] { copy_beside(); });
      while (entered_.load() == TimePoint{}) {
      }
      spin_until(now() + settling);
    }
    if (is_gated(case_.beside)) {
      gate_.start_hold(hold_);
    }
  }

  void copy_beside() {
    entered_ = now();
    copy_async(destination_.data, source_.data, source_.bytes, case_.direction(), other_);
    left_ = now();
  }

  void end_beside() {
    if (has_copy(case_.beside)) {
      helper_->join_job();
    }
    other_.sync();
    if (is_gated(case_.beside)) {
      gate_.require_opened_by_host();
    }
  }

  Case case_;
  Region source_;
  Region destination_;
  StreamView own_;
  StreamView other_;
  Gate& gate_;
  Verifier& verifier_;
  PreparedOperation operation_;
  std::uint64_t seed_ = 0;
  Nanoseconds hold_{0};
  // When the other thread entered its copy and when it returned from it; the latter is read after
  // the job alone.
  std::atomic<TimePoint> entered_{};
  TimePoint left_;
  std::size_t samples_ = 0;
  std::size_t outlasted_ = 0;
  std::size_t returned_after_opening_ = 0;
  // The last member: its job uses the others.
  std::unique_ptr<HelperThread> helper_;
};

MemoryNeeds memory_needs(const AxisValues& values) {
  const Case parsed = parse(values);
  return {{parsed.source(), parsed.copied_bytes()}, {parsed.destination(), parsed.copied_bytes()}};
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
