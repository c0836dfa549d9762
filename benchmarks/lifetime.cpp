// SPDX-License-Identifier: Apache-2.0
// Whose is the memory when the call has returned? Each hazard is made certain by a gate in front of
// the copy, and each row says what was promised beside what was seen.
#include <array>
#include <chrono>
#include <optional>
#include <span>
#include <string>

#include "benchmarks/families.hpp"
#include "benchmarks/hazardous_copy.hpp"
#include "benchmarks/lifetime_promises.hpp"
#include "benchmarks/lifetime_sweeps.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;

constexpr std::array<std::string_view, 1> figure_names{"blocked"};

HazardCase parse(const AxisValues& values) {
  return {parse_axis<Hazard>(values, "hazard", hazard_names),
          parse_axis<CopyApi>(values, "api", copy_api_names),
          parse_axis<MemoryKind>(values, "mem", memory_kind_names), values.number("bytes")};
}

class Lifetime final : public Measurement {
 public:
  Lifetime(const HazardCase& parsed, Fixtures& fixtures)
      : hazard_(parsed.hazard),
        promise_(promise_of(parsed.hazard, parsed.api, parsed.memory, parsed.bytes)),
        copy_(parsed, fixtures),
        gate_(fixtures.gate()) {}

  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return 0; }
  // What happens is no matter of chance, and the blocked time of a call that waits is the hold.
  std::size_t most_samples() const override { return 15; }

  void prepare(std::uint64_t seed) override { copy_.prepare(seed); }

  void sample(std::span<Nanoseconds> durations) override {
    constexpr int most_attempts = 8;
    std::optional<Seen> seen;
    for (int i = 0; i < most_attempts && !seen; ++i) {
      seen = take(durations[0]);
    }
    if (!seen) {
      throw GateError("the gate did not stay closed for long enough to be too early behind it");
    }
    tally_.add(*seen);
    if (!promise_.is_kept_by(*seen)) {
      if (!promise_.is_known_to_be_broken) {
        throw VerificationError(std::string(name_of(*seen, seen_names)) + "; " +
                                promise_.describe());
      }
      broken_ = true;
    }
  }

  // The bytes are looked at in each sample.
  void verify() override { copy_.verify_canaries(); }

  Findings conclude(std::span<const Summary> /*summaries*/) const override {
    Findings findings{lifetime_label(tally_, promise_, broken_),
                      {{"most_hold_ns", static_cast<double>(hold_.count())}}};
    const auto add = [&](const char* name, Seen seen) {
      findings.counters[name] = tally_.fraction(seen);
    };
    switch (hazard_) {
      case Hazard::overwrite_source:
        add("captured_fraction", Seen::captured);
        add("reads_later_fraction", Seen::reads_later);
        add("torn_fraction", Seen::torn);
        add("waited_fraction", Seen::waited);
        break;
      case Hazard::read_destination:
        add("stale_fraction", Seen::stale);
        add("torn_fraction", Seen::torn);
        add("waited_fraction", Seen::waited);
        break;
      case Hazard::other_stream:
      case Hazard::other_stream_after_sync:
        add("stale_reads_fraction", Seen::stale);
        add("torn_fraction", Seen::torn);
        break;
    }
    return findings;
  }

 private:
  // Nothing when the gate opened while the program was still being too early: who was first is not
  // known then, and the next gate stays closed for longer.
  std::optional<Seen> take(Nanoseconds& blocked) {
    copy_.set_up();
    const OpenOnExit guard(gate_);
    gate_.close(copy_.stream());
    gate_.start_hold(hold_);
    const TimePoint begin = now();
    copy_.copy();
    const TimePoint returned = now();
    copy_.be_too_early();
    const TimePoint done = now();
    const TimePoint opened = gate_.open();
    copy_.stream().sync();
    gate_.require_opened_by_host();
    blocked = returned - begin;
    const bool returned_after_opening = opened < returned;
    // That one waits for the gate to open, and is not too early at all.
    if (hazard_ != Hazard::other_stream_after_sync && !returned_after_opening && opened < done) {
      hold_ *= 2;
      return std::nullopt;
    }
    return copy_.judge(returned_after_opening);
  }

  Hazard hazard_;
  LifetimePromise promise_;
  HazardousCopy copy_;
  Gate& gate_;
  // Time for the call and for being too early, which for 4 MiB takes about 1 ms.
  Nanoseconds hold_ = 10ms;
  SeenTally tally_;
  bool broken_ = false;
};

MemoryNeeds memory_needs(const AxisValues& values) {
  const HazardCase parsed = parse(values);
  return {{parsed.source(), parsed.bytes}, {parsed.destination(), parsed.bytes}};
}

std::optional<std::string> refuse(const AxisValues& values) {
  return parse(values).bytes > 0
             ? std::nullopt
             : std::optional<std::string>("bytes: of an empty copy there is nothing to see");
}

std::optional<std::string> lacks(const AxisValues& values, const Device& device) {
  const HazardCase parsed = parse(values);
  if (parsed.memory == MemoryKind::managed && !device.concurrent_managed_access) {
    return "needs managed memory that the host may touch while the device is busy";
  }
  return lacks_copy_api(parsed.api, device.driver_version);
}

}  // namespace

Family lifetime_family() {
  return {"lifetime",
          lifetime_sweeps(),
          [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
            return std::make_unique<Lifetime>(parse(values), fixtures);
          },
          memory_needs,
          refuse,
          lacks};
}

}  // namespace copybench
