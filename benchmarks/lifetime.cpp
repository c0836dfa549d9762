// SPDX-License-Identifier: Apache-2.0
// Whose is the memory when the call has returned? Each hazard is made certain by a gate in front of
// the copy, and each row says what was promised beside what was seen.
#include <array>
#include <chrono>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include <cuda_runtime_api.h>

#include "benchmarks/families.hpp"
#include "benchmarks/lifetime_promises.hpp"
#include "benchmarks/lifetime_sweeps.hpp"
#include "common/cuda/check.hpp"
#include "common/measurement/pattern.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;

constexpr std::array<std::string_view, 1> figure_names{"blocked"};

struct Case {
  Hazard hazard;
  CopyApi api;
  MemoryKind memory;
  std::size_t bytes;

  [[nodiscard]] Direction direction() const {
    return hazard == Hazard::read_destination ? Direction::d2h : Direction::h2d;
  }
  [[nodiscard]] MemoryKind source() const {
    return direction() == Direction::d2h ? MemoryKind::device : memory;
  }
  [[nodiscard]] MemoryKind destination() const {
    return direction() == Direction::h2d ? MemoryKind::device : memory;
  }
  [[nodiscard]] StreamKind stream() const {
    return api == CopyApi::memcpy ? StreamKind::legacy : StreamKind::nonblocking;
  }
};

Case parse(const AxisValues& values) {
  return {parse_axis<Hazard>(values, "hazard", hazard_names),
          parse_axis<CopyApi>(values, "api", copy_api_names),
          parse_axis<MemoryKind>(values, "mem", memory_kind_names), values.number("bytes")};
}

class Lifetime final : public Measurement {
 public:
  Lifetime(const Case& parsed, Fixtures& fixtures)
      : case_(parsed),
        promise_(promise_of(parsed.hazard, parsed.api, parsed.memory, parsed.bytes)),
        source_(fixtures.region(parsed.source(), Role::source, parsed.bytes)),
        destination_(fixtures.region(parsed.destination(), Role::destination, parsed.bytes)),
        stream_(fixtures.stream(parsed.stream())),
        other_stream_(fixtures.other_stream(StreamKind::nonblocking)),
        copy_(parsed.api, destination_.data, source_.data, parsed.bytes, parsed.direction(),
              stream_),
        gate_(fixtures.gate()),
        verifier_(fixtures.verifier()) {}

  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return 0; }
  // What happens is no matter of chance, and the blocked time of a call that waits is the hold.
  std::size_t most_samples() const override { return 15; }

  void prepare(std::uint64_t seed) override {
    seed_ = seed;
    verifier_.fill(source_, seed);
    verifier_.poison(destination_);
  }

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
  void verify() override { verifier_.verify_canaries(destination_); }

  Findings conclude(std::span<const Summary> /*summaries*/) const override {
    Findings findings{lifetime_label(tally_, promise_, broken_),
                      {{"most_hold_ns", static_cast<double>(hold_.count())}}};
    const auto add = [&](const char* name, Seen seen) {
      findings.counters[name] = tally_.fraction(seen);
    };
    switch (case_.hazard) {
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
    set_up();
    const OpenOnExit guard(gate_);
    gate_.close(stream_);
    gate_.start_hold(hold_);
    const TimePoint begin = now();
    copy_();
    const TimePoint returned = now();
    const std::size_t arrived = be_too_early();
    const TimePoint done = now();
    const TimePoint opened = gate_.open();
    stream_.sync();
    gate_.require_opened_by_host();
    blocked = returned - begin;
    const bool returned_after_opening = opened < returned;
    if (case_.hazard == Hazard::other_stream_after_sync) {
      require_arrival();
      return judge_other_stream(case_.bytes, arrived);
    }
    if (!returned_after_opening && opened < done) {
      hold_ *= 2;
      return std::nullopt;
    }
    return judge(arrived, returned_after_opening);
  }

  // No sample may pass by what the last one left.
  void set_up() {
    if (case_.hazard == Hazard::overwrite_source) {
      verifier_.fill(source_, seed_);
      verifier_.spoil(destination_);
    } else {
      verifier_.fill(destination_, other_seed(seed_));
    }
  }

  // Returns how many bytes had arrived where the destination was read.
  std::size_t be_too_early() {
    switch (case_.hazard) {
      case Hazard::overwrite_source:
        verifier_.fill(source_, other_seed(seed_));
        return 0;
      case Hazard::read_destination:
        return case_.bytes - compare_pattern({destination_.data, case_.bytes}, seed_).count;
      case Hazard::other_stream_after_sync:
        stream_.sync();
        [[fallthrough]];
      case Hazard::other_stream:
        return count_on_device(seed_);
    }
    return 0;
  }

  Seen judge(std::size_t arrived, bool returned_after_opening) {
    switch (case_.hazard) {
      case Hazard::overwrite_source:
        return judge_overwrite(case_.bytes, count_on_device(seed_),
                               count_on_device(other_seed(seed_)), returned_after_opening);
      case Hazard::read_destination:
        require_arrival();
        return judge_read(case_.bytes, arrived, returned_after_opening);
      default:
        require_arrival();
        return judge_other_stream(case_.bytes, arrived);
    }
  }

  // The stream is drained.
  void require_arrival() { verifier_.verify_unguarded(destination_, seed_); }

  // Bytes of the destination that hold the pattern, as a kernel in the other stream sees them.
  std::size_t count_on_device(std::uint64_t seed) {
    auto* const mismatch = reinterpret_cast<Mismatch*>(mismatch_.data());
    *mismatch = {0, std::numeric_limits<std::uint64_t>::max()};
    launch_compare_pattern(other_stream_, destination_.data, case_.bytes, seed,
                           reinterpret_cast<Mismatch*>(mismatch_.device_address()));
    other_stream_.sync();
    return case_.bytes - mismatch->count;
  }

  Case case_;
  LifetimePromise promise_;
  Region source_;
  Region destination_;
  StreamView stream_;
  StreamView other_stream_;
  PreparedCopy copy_;
  Gate& gate_;
  Verifier& verifier_;
  Buffer mismatch_{MemoryKind::pinned_mapped, sizeof(Mismatch)};
  std::uint64_t seed_ = 0;
  // Time for the call and for being too early, which for 4 MiB takes about 1 ms.
  Nanoseconds hold_ = 10ms;
  SeenTally tally_;
  bool broken_ = false;
};

MemoryNeeds memory_needs(const AxisValues& values) {
  const Case parsed = parse(values);
  return {{parsed.source(), parsed.bytes}, {parsed.destination(), parsed.bytes}};
}

std::optional<std::string> refuse(const AxisValues& values) {
  return parse(values).bytes > 0
             ? std::nullopt
             : std::optional<std::string>("bytes: of an empty copy there is nothing to see");
}

std::optional<std::string> lacks(const AxisValues& values, const Device& device) {
  const Case parsed = parse(values);
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
