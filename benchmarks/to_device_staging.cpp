// SPDX-License-Identifier: Apache-2.0
// What does putting an ordinary array on the device cost, and what of it is left after the return?
#include <optional>

#include "benchmarks/families.hpp"
#include "common/staging/to_device.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

enum class Allocation { none, malloc };
constexpr std::array<std::string_view, 2> allocation_names{"none", "malloc"};

enum Figure : std::size_t { blocked, completion, residual };
constexpr std::array<std::string_view, 3> figure_names{"blocked", "completion", "residual"};

struct Case {
  ToDeviceStrategy strategy;
  MemoryKind memory;
  Allocation allocation;
  StreamKind stream;
  Figure metric;
  std::size_t bytes;
};

Case parse(const AxisValues& values) {
  return {parse_axis<ToDeviceStrategy>(values, "strategy", to_device_strategy_names),
          parse_axis<MemoryKind>(values, "mem", memory_kind_names),
          parse_axis<Allocation>(values, "alloc", allocation_names),
          parse_axis<StreamKind>(values, "stream", stream_kind_names),
          parse_axis<Figure>(values, "metric", figure_names),
          values.number("bytes")};
}

MemoryNeeds memory_needs(const AxisValues& values) {
  const Case parsed = parse(values);
  return {{parsed.memory, parsed.bytes}, {MemoryKind::device, parsed.bytes}};
}

class ToDevice final : public Measurement {
 public:
  ToDevice(const Case& parsed, Fixtures& fixtures)
      : case_(parsed),
        source_(fixtures.region(parsed.memory, Role::source, parsed.bytes)),
        destination_(parsed.allocation == Allocation::none
                         ? fixtures.region(MemoryKind::device, Role::destination, parsed.bytes)
                         : Region{MemoryKind::device, nullptr, parsed.bytes}),
        stream_(fixtures.stream(parsed.stream)),
        staging_(fixtures.staging()),
        verifier_(fixtures.verifier()) {}

  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return case_.metric; }

  void prepare(std::uint64_t seed) override {
    seed_ = seed;
    verifier_.fill(source_, seed);
    if (case_.allocation == Allocation::none) {
      verifier_.poison(destination_);
    }
  }

  void sample(std::span<Nanoseconds> durations) override {
    if (case_.allocation == Allocation::malloc) {
      discard_block();
    }
    const TimePoint begin = now();
    if (case_.allocation == Allocation::malloc) {
      block_.emplace(MemoryKind::device, case_.bytes);
      destination_.data = block_->data();
    }
    to_device(case_.strategy, destination_.data, source_.data, case_.bytes, stream_, staging_);
    const TimePoint returned = now();
    stream_.sync();
    const TimePoint usable = now();
    durations[Figure::blocked] = returned - begin;
    durations[Figure::completion] = usable - begin;
    durations[Figure::residual] = usable - returned;
  }

  void verify() override {
    if (case_.allocation == Allocation::none) {
      verifier_.verify(destination_, seed_);
    } else {
      verifier_.verify_unguarded(destination_, seed_);
    }
  }

  Findings conclude(std::span<const Summary> summaries) const override {
    const double seconds =
        std::chrono::duration<double>(summaries[Figure::completion].median).count();
    return {"", {{"bytes_per_second", static_cast<double>(case_.bytes) / seconds}}};
  }

 private:
  // The allocator may hand the same block out again: without its old data, so that a copy that
  // never happened is found.
  void discard_block() {
    if (block_) {
      verifier_.spoil(destination_);
      block_.reset();
    }
  }

  Case case_;
  Region source_;
  Region destination_;
  StreamView stream_;
  DoubleBufferedStaging& staging_;
  Verifier& verifier_;
  std::optional<Buffer> block_;
  std::uint64_t seed_ = 0;
};

Sweep sweep(std::string question, std::string strategy, std::string memory,
            std::vector<std::string> streams, bool in_quick = true) {
  return {std::move(question),
          {{"strategy", {std::move(strategy)}},
           {"mem", {std::move(memory)}},
           {"alloc", {"none", "malloc"}, {"none"}},
           {"stream", std::move(streams)},
           {"metric", {"blocked", "completion", "residual"}},
           {"bytes",
            {"4096", "65536", "1048576", "16777216", "67108864", "268435456", "800000000"},
            {"65536", "16777216"}}},
          in_quick};
}

// The array of the question, and the sizes at which allocation shows.
Sweep quick_extra(std::string strategy, std::string memory, std::string allocation,
                  std::vector<std::string> metrics, std::string bytes) {
  return {"What does the 800 MB array of the question cost, and what does allocating it add?",
          {{"strategy", {std::move(strategy)}},
           {"mem", {std::move(memory)}},
           {"alloc", {std::move(allocation)}},
           {"stream", {"nonblocking"}},
           {"metric", std::move(metrics)},
           {"bytes", {std::move(bytes)}}}};
}

}  // namespace

Family to_device_family() {
  return {"to_device",
          {sweep("What does the driver do with a pageable array?", "driver_pageable", "pageable",
                 {"legacy", "nonblocking"}),
           sweep("Does the synchronous form cost more?", "driver_pageable_sync", "pageable",
                 {"legacy"}, false),
           sweep("How fast is the link?", "driver_pinned", "pinned", {"legacy", "nonblocking"}),
           sweep("Is staging by hand any better?", "staged_double_buffered", "pageable",
                 {"legacy", "nonblocking"}),
           quick_extra("driver_pageable", "pageable", "none", {"blocked", "completion", "residual"},
                       "800000000"),
           quick_extra("driver_pinned", "pinned", "none", {"completion"}, "800000000"),
           quick_extra("staged_double_buffered", "pageable", "none", {"completion"}, "800000000"),
           quick_extra("driver_pageable", "pageable", "malloc", {"blocked"}, "65536"),
           quick_extra("driver_pageable", "pageable", "malloc", {"blocked"}, "16777216")},
          [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
            return std::make_unique<ToDevice>(parse(values), fixtures);
          },
          memory_needs};
}

}  // namespace copybench
