// SPDX-License-Identifier: Apache-2.0
// From which size on does a pageable copy to the device wait for the queue, and who shares the
// memory that smaller ones are captured in?
#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string>

#include "benchmarks/families.hpp"
#include "common/cuda/copy.hpp"
#include "common/cuda/event.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;

// What is captured already when the copy is made.
enum class Before { nothing, same_stream, other_stream };
constexpr std::array<std::string_view, 3> before_names{"nothing", "same_stream", "other_stream"};

enum Figure : std::size_t { blocked };
constexpr std::array<std::string_view, 1> figure_names{"blocked"};

constexpr std::size_t kibibyte = 1024;
constexpr std::size_t least_bytes = 4 * kibibyte;
constexpr std::size_t most_bytes = 64 * kibibyte * kibibyte;
// Many times what capturing takes.
constexpr int nanoseconds_per_byte = 4;
// The bracket is a hundredth of the knee, or this.
constexpr std::size_t bracket_fraction = 100;
constexpr std::size_t least_bracket = 512;

// A search by halves for the size at which the call does not return before the gate opens any more.
class StagingPool final : public Measurement {
 public:
  StagingPool(Before before, std::size_t bytes_before, Fixtures& fixtures)
      : before_(before),
        bytes_before_(bytes_before),
        source_(fixtures.region(MemoryKind::pageable, Role::source, most_bytes)),
        destination_(fixtures.region(MemoryKind::device, Role::destination, most_bytes)),
        stream_(fixtures.stream(StreamKind::nonblocking)),
        other_stream_(fixtures.other_stream(StreamKind::nonblocking)),
        gate_(fixtures.gate()),
        verifier_(fixtures.verifier()) {}

  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return Figure::blocked; }
  std::size_t least_samples() const override { return 3; }

  void prepare(std::uint64_t seed) override {
    seed_ = seed;
    copied_ = 0;
    verifier_.fill(source_, seed);
    verifier_.poison(destination_);
  }

  // The figure is the blocked time of the largest copy that returned early, or of the least one
  // where none did.
  void sample(std::span<Nanoseconds> durations) override {
    // Nothing is known to return early until it was seen to.
    std::size_t low = 0;
    std::size_t high = most_bytes;
    const auto returns_early = [&](std::size_t bytes) {
      const Probe seen = look(bytes);
      if (seen.is_early || low == 0) {
        durations[Figure::blocked] = seen.blocked;
      }
      (seen.is_early ? low : high) = bytes;
      return seen.is_early;
    };
    std::size_t next = least_bytes;
    bool is_certain = false;
    while (!is_certain) {
      high = most_bytes;
      // By doubling first: a copy that waits takes long, and the longer the larger it is.
      for (std::size_t bytes = next; bytes <= most_bytes && returns_early(bytes); bytes *= 2) {
      }
      while (low > 0 && high - low > std::max(low / bracket_fraction, least_bracket)) {
        (void)returns_early(low + (high - low) / 2);
      }
      // In the end all hangs on one late return, which is looked into once more.
      is_certain = low == 0 || low == high || !returns_early(high);
      next = 2 * high;
    }
    low_ = std::min(low_, low);
    high_ = std::max(high_, high);
  }

  void verify() override { verifier_.verify_prefix(destination_, copied_, seed_); }

  Findings conclude(std::span<const Summary> /*summaries*/) const override {
    const bool found = low_ < most_bytes;
    return {found ? "waits_for_queue" : "no_knee",
            {{"knee_bytes", static_cast<double>(low_)},
             {"knee_bytes_low", static_cast<double>(low_)},
             {"knee_bytes_high", static_cast<double>(high_)}}};
  }

 private:
  struct Probe {
    bool is_early;
    Nanoseconds blocked;
  };

  // A late return may have been the scheduler's doing, an early one may not.
  Probe look(std::size_t bytes) {
    constexpr int most_late = 3;
    // Of the copy in front, each with a longer hold.
    constexpr int most_late_in_front = 6;
    std::optional<Probe> seen;
    int late = 0;
    int late_in_front = 0;
    while (late < most_late && late_in_front < most_late_in_front && !(seen && seen->is_early)) {
      const std::optional<Probe> found = probe(bytes, 1 + late_in_front);
      ++(found ? late : late_in_front);
      seen = found ? found : seen;
    }
    if (!seen) {
      throw GateError(
          (before_ == Before::nothing
               ? "the host"
               : "before_bytes: the copy of " + std::to_string(bytes_before_) + " bytes in front") +
          std::string(" did not return before the gate opened"));
    }
    return *seen;
  }

  // Nothing when the copy in front was late: what is behind it was not behind a closed gate.
  std::optional<Probe> probe(std::size_t bytes, int times_hold) {
    const OpenOnExit guard(gate_);
    gate_.close(stream_);
    gated_.record(stream_);
    wait(other_stream_, gated_);
    gate_.start_hold(
        times_hold *
        std::max<Nanoseconds>(6ms, nanoseconds_per_byte * Nanoseconds(bytes + bytes_before_)));
    if (before_ != Before::nothing) {
      copy_async(destination_.data, source_.data, bytes_before_, Direction::h2d,
                 before_ == Before::same_stream ? stream_ : other_stream_);
    }
    const TimePoint begin = now();
    copy_async(destination_.data, source_.data, bytes, Direction::h2d, stream_);
    const TimePoint returned = now();
    const TimePoint opened = gate_.open();
    stream_.sync();
    other_stream_.sync();
    gate_.require_opened_by_host();
    copied_ = std::max({copied_, bytes, bytes_before_});
    if (begin >= opened) {
      return std::nullopt;
    }
    return Probe{returned < opened, returned - begin};
  }

  Before before_;
  std::size_t bytes_before_;
  Region source_;
  Region destination_;
  StreamView stream_;
  StreamView other_stream_;
  Gate& gate_;
  Verifier& verifier_;
  Event gated_;
  std::uint64_t seed_ = 0;
  // What the copies of this batch have covered.
  std::size_t copied_ = 0;
  // Over all searches.
  std::size_t low_ = most_bytes;
  std::size_t high_ = 0;
};

MemoryNeeds memory_needs(const AxisValues& /*values*/) {
  return {{MemoryKind::pageable, most_bytes}, {MemoryKind::device, most_bytes}};
}

// A copy in front that does not fit itself says nothing about the one behind it.
std::optional<std::string> refuse(const AxisValues& values) {
  const std::size_t bytes = values.number("before_bytes");
  if ((values.at("before") == "nothing") != (bytes == 0) || bytes > most_bytes) {
    return "before_bytes: expected 0 for nothing, otherwise 1 to " + std::to_string(most_bytes);
  }
  return std::nullopt;
}

}  // namespace

Family staging_pool_family() {
  return {
      "staging_pool",
      {{"Up to which size does a pageable copy to the device return before the work in front of "
        "it is done?",
        {{"mem", {"pageable"}}, {"before", {"nothing"}}, {"before_bytes", {"0"}}},
        false},
       {"How much of that does a copy in front take, and do the streams of a device share it?",
        {{"mem", {"pageable"}},
         {"before", {"same_stream", "other_stream"}},
         {"before_bytes", {"64", "65536", "65537", "262144", "1048576", "1048577", "1572864"}}},
        false}},
      [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
        return std::make_unique<StagingPool>(parse_axis<Before>(values, "before", before_names),
                                             values.number("before_bytes"), fixtures);
      },
      memory_needs,
      refuse};
}

}  // namespace copybench
