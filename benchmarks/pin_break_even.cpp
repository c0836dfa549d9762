// SPDX-License-Identifier: Apache-2.0
// After how many copies of the same array has pinning it paid for itself?
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "benchmarks/families.hpp"
#include "common/cuda/copy.hpp"
#include "common/cuda/pinned_range.hpp"
#include "common/measurement/break_even.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

/// How an array comes to be in pinned memory.
enum class Way {
  /// It is pinned where it is.
  registered,
  /// It is copied into pinned memory by the host, or out of it, once for each copy on the link.
  host_alloc,
  /// It is produced in pinned memory, or used there.
  host_alloc_in_place
};
constexpr std::array<std::string_view, 3> way_names{"register", "host_alloc",
                                                    "host_alloc_in_place"};

enum Figure : std::size_t { pageable_copy, pinned_copy, host_copy, pin, unpin, once };
constexpr std::array<std::string_view, 6> figure_names{"pageable_copy", "pinned_copy", "host_copy",
                                                       "pin",           "unpin",       "once"};

struct Case {
  Direction direction;
  Way way;
  std::size_t bytes;
};

Case parse(const AxisValues& values) {
  return {parse_axis<Direction>(values, "dir", direction_names),
          parse_axis<Way>(values, "way", way_names), values.number("bytes")};
}

// Both copies of a sample have a destination of their own, so that neither hides what the other one
// did not deliver.
class PinBreakEven final : public Measurement {
 public:
  PinBreakEven(const Case& parsed, Fixtures& fixtures)
      : case_(parsed),
        array_(fixtures.region(MemoryKind::pageable, Role::source, parsed.bytes)),
        other_array_(to_device()
                         ? array_
                         : fixtures.region(MemoryKind::pageable, Role::destination, parsed.bytes)),
        device_(fixtures.region(MemoryKind::device, Role::source, parsed.bytes)),
        other_device_(to_device()
                          ? fixtures.region(MemoryKind::device, Role::destination, parsed.bytes)
                          : device_),
        stream_(fixtures.stream(StreamKind::nonblocking)),
        verifier_(fixtures.verifier()) {}

  std::span<const std::string_view> figures() const override { return figure_names; }
  // What a program pays that pins for the sake of one copy.
  std::size_t tracked() const override { return Figure::once; }

  void prepare(std::uint64_t seed) override {
    seed_ = seed;
    verifier_.fill(to_device() ? array_ : device_, seed);
    verifier_.poison(to_device() ? device_ : array_);
    verifier_.poison(to_device() ? other_device_ : other_array_);
  }

  void sample(std::span<Nanoseconds> durations) override {
    durations[Figure::pageable_copy] = copy_on_link(other_array_.data, other_device_);
    const TimePoint begin = now();
    PinnedRange pinned = case_.way == Way::registered
                             ? PinnedRange::registered({array_.data, case_.bytes})
                             : PinnedRange::allocated(case_.bytes);
    durations[Figure::pin] = now() - begin;
    if (!is_pinned({pinned.data(), case_.bytes})) {
      throw VerificationError("CUDA does not know the memory as pinned");
    }
    Nanoseconds moved{0};
    if (to_device()) {
      moved += move(pinned.data(), array_.data);
    }
    durations[Figure::pinned_copy] = copy_on_link(pinned.data(), device_);
    if (!to_device()) {
      moved += move(array_.data, pinned.data());
    }
    durations[Figure::unpin] = duration_of([&] { pinned.give_back(); });
    // Whoever works in place has the data there already: moving it is for the test of its bytes.
    durations[Figure::host_copy] = case_.way == Way::host_alloc ? moved : Nanoseconds{0};
    durations[Figure::once] = durations[Figure::pin] + durations[Figure::host_copy] +
                              durations[Figure::pinned_copy] + durations[Figure::unpin];
  }

  void verify() override {
    verifier_.verify(to_device() ? device_ : array_, seed_);
    verifier_.verify(to_device() ? other_device_ : other_array_, seed_);
  }

  Findings conclude(std::span<const Summary> summaries) const override {
    const auto median = [&](Figure figure) { return summaries[figure].median; };
    const PinningChoice choice{
        .pageable_copy = median(Figure::pageable_copy),
        .pinned_copy = median(Figure::pinned_copy) + median(Figure::host_copy),
        .once = median(Figure::pin) + median(Figure::unpin)};
    const auto copies = break_even_copies(choice);
    const Nanoseconds saved = choice.pageable_copy - choice.pinned_copy;
    return {std::string(name_of(advise(copies), pinning_advice_names)),
            {{break_even_counter, static_cast<double>(copies.value_or(never_breaks_even))},
             {"saved_per_copy_ns", static_cast<double>(saved.count())}}};
  }

 private:
  [[nodiscard]] bool to_device() const { return case_.direction == Direction::h2d; }

  // Until the data is usable.
  Nanoseconds copy_on_link(std::byte* host, const Region& device) const {
    return duration_of([&] {
      copy_async(to_device() ? device.data : host, to_device() ? host : device.data, case_.bytes,
                 case_.direction, stream_);
      stream_.sync();
    });
  }

  [[nodiscard]] Nanoseconds move(std::byte* to, const std::byte* from) const {
    return to == from ? Nanoseconds{0} : duration_of([&] { std::memcpy(to, from, case_.bytes); });
  }

  Case case_;
  // Of the pinned copy: what is registered, or copied by the host.
  Region array_;
  Region other_array_;
  Region device_;
  Region other_device_;
  StreamView stream_;
  Verifier& verifier_;
  std::uint64_t seed_ = 0;
};

MemoryNeeds memory_needs(const AxisValues& values) {
  const Case parsed = parse(values);
  MemoryNeeds needs{{MemoryKind::pageable, parsed.bytes}, {MemoryKind::device, parsed.bytes}};
  if (parsed.way != Way::registered) {
    needs.emplace_back(MemoryKind::pinned, parsed.bytes);
  }
  return needs;
}

std::optional<std::string> refuse(const AxisValues& values) {
  return values.number("bytes") > 0 ? std::nullopt
                                    : std::optional<std::string>("bytes: 0 is no memory to pin");
}

Sweep sweep(std::string question, std::string way, bool in_quick) {
  return {std::move(question),
          {{"dir", {"h2d", "d2h"}, {"h2d"}},
           {"way", {std::move(way)}},
           {"bytes", {"65536", "1048576", "16777216", "268435456"}, {"1048576", "16777216"}}},
          in_quick};
}

}  // namespace

Family pin_break_even_family() {
  return {
      "pin_break_even",
      {sweep("How often must an array be copied for pinning it in place to pay?", "register", true),
       sweep("And for copying it through pinned memory that was allocated for it?", "host_alloc",
             false),
       sweep("And for allocating it as pinned memory in the first place?", "host_alloc_in_place",
             false)},
      [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
        return std::make_unique<PinBreakEven>(parse(values), fixtures);
      },
      memory_needs,
      refuse};
}

}  // namespace copybench
