// SPDX-License-Identifier: Apache-2.0
// The second question as its cells run: to_device of an array and a synchronise, each timed alone.
#include <optional>

#include "benchmarks/families.hpp"
#include "common/staging/array_transfer.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

// In the order of the program: an idle synchronise, the copy, and the synchronise behind it, which
// waits for whatever the copy has left over.
enum Figure : std::size_t { synchronize_alone, to_device_call, synchronize_after, total };
constexpr std::array<std::string_view, 4> figure_names{"synchronize_alone", "to_device",
                                                       "synchronize_after", "total"};

class ToDeviceSequence final : public Measurement {
 public:
  ToDeviceSequence(StreamKind stream, Figure metric, std::size_t bytes, Fixtures& fixtures)
      : metric_(metric),
        source_(fixtures.region(MemoryKind::pageable, Role::source, bytes)),
        destination_{MemoryKind::device, nullptr, bytes},
        stream_(fixtures.stream(stream)),
        // As numba does: no stream means the synchronous call, a stream the asynchronous one.
        transfer_(fixtures.transfer(stream == StreamKind::legacy
                                        ? ArrayStrategy::driver_pageable_sync
                                        : ArrayStrategy::driver_pageable)),
        verifier_(fixtures.verifier()) {}

  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return metric_; }

  void prepare(std::uint64_t seed) override {
    seed_ = seed;
    verifier_.fill(source_, seed);
  }

  void sample(std::span<Nanoseconds> durations) override {
    discard_array();
    const TimePoint begin = now();
    stream_.sync();
    const TimePoint idle = now();
    array_.emplace(MemoryKind::device, source_.bytes);
    destination_.data = array_->data();
    transfer_.to_device(destination_.data, source_.data, source_.bytes, stream_);
    const TimePoint returned = now();
    stream_.sync();
    const TimePoint usable = now();
    durations[Figure::synchronize_alone] = idle - begin;
    durations[Figure::to_device_call] = returned - idle;
    durations[Figure::synchronize_after] = usable - returned;
    durations[Figure::total] = usable - idle;
  }

  void verify() override { verifier_.verify_unguarded(destination_, seed_); }

  Findings conclude(std::span<const Summary> summaries) const override {
    const double seconds = std::chrono::duration<double>(summaries[Figure::total].median).count();
    return {"", {{"bytes_per_second", static_cast<double>(source_.bytes) / seconds}}};
  }

 private:
  // Freed outside the timed region, where numba's deferred deallocation puts it as well; without
  // its old data, so that a copy that never happened is found.
  void discard_array() {
    if (array_) {
      verifier_.spoil(destination_);
      array_.reset();
    }
  }

  Figure metric_;
  Region source_;
  Region destination_;
  StreamView stream_;
  ArrayTransfer& transfer_;
  Verifier& verifier_;
  std::optional<Buffer> array_;
  std::uint64_t seed_ = 0;
};

MemoryNeeds memory_needs(const AxisValues& values) {
  return {{MemoryKind::pageable, values.number("bytes")},
          {MemoryKind::device, values.number("bytes")}};
}

}  // namespace

Family scenario_to_device_family() {
  return {"scenario_to_device",
          {{"What do to_device of an array and the synchronise behind it take, each alone?",
            {{"stream", {"legacy", "nonblocking"}},
             {"metric",
              {"synchronize_alone", "to_device", "synchronize_after", "total"},
              {"to_device", "synchronize_after"}},
             {"bytes", {"80000000", "800000000"}, {"80000000"}}}}},
          [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
            return std::make_unique<ToDeviceSequence>(
                parse_axis<StreamKind>(values, "stream", stream_kind_names),
                parse_axis<Figure>(values, "metric", figure_names), values.number("bytes"),
                fixtures);
          },
          memory_needs};
}

}  // namespace copybench
