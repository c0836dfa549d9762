// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/transfer.hpp"

#include <chrono>
#include <span>

#include "common/cuda/device.hpp"
#include "common/cuda/prefetch.hpp"
#include "common/measurement/clock.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

Region device_view(const Region& managed) {
  return {MemoryKind::device, managed.data, managed.bytes};
}

// The array on the host and the one on the device: of managed memory both are the same.
class Arrays {
 public:
  Arrays(const TransferCase& parsed, Fixtures& fixtures)
      : to_device_(parsed.direction == Direction::h2d),
        managed_(parsed.strategy == ArrayStrategy::managed_prefetch),
        new_array_(parsed.allocation, parsed.bytes),
        verifier_(fixtures.verifier()) {
    const auto lend = [&](MemoryKind kind, Role role) {
      return fixtures.region(kind, role, parsed.bytes);
    };
    const auto destination = [&](MemoryKind kind) {
      return parsed.allocation == Allocation::none ? lend(kind, Role::destination)
                                                   : Region{kind, nullptr, parsed.bytes};
    };
    if (managed_) {
      const Region host = lend(parsed.memory, Role::source);
      source_ = to_device_ ? host : device_view(host);
      destination_ = to_device_ ? device_view(host) : host;
    } else if (to_device_) {
      source_ = lend(parsed.memory, Role::source);
      destination_ = destination(MemoryKind::device);
    } else {
      source_ = lend(MemoryKind::device, Role::source);
      destination_ = destination(parsed.memory);
    }
    is_lent_ = parsed.allocation == Allocation::none;
  }

  [[nodiscard]] const Region& source() const { return source_; }
  [[nodiscard]] const Region& destination() const { return destination_; }

  void prepare(std::uint64_t seed) {
    verifier_.fill(source_, seed);
    if (is_lent_ && !managed_) {
      verifier_.poison(destination_);
    }
  }

  // Before each sample. What the last one has brought must not stand in for what this one loses,
  // nor in a block that the allocator hands out again. Of managed memory there is one array: its
  // bytes say nothing of where they are.
  void set_up(StreamView stream, std::uint64_t seed) {
    if (new_array_.data() != nullptr) {
      verifier_.spoil(destination_);
      new_array_.free();
    } else if (is_lent_ && !managed_) {
      spoil_lent(seed);
    }
    if (managed_ && to_device_) {
      prefetch_to_host(source_.data, source_.bytes, stream);
    } else if (managed_) {
      prefetch_to_device(source_.data, source_.bytes, current_device(), stream);
    }
    stream.sync();
  }

  // Part of what is timed, where the destination is made anew.
  void allocate(StreamView stream) {
    if (!is_lent_) {
      destination_.data = new_array_.allocate(stream);
    }
  }

  void verify(std::uint64_t seed) {
    if (is_lent_ && !managed_) {
      verifier_.verify(destination_, seed);
    } else {
      verifier_.verify_unguarded(destination_, seed);
    }
  }

 private:
  void spoil_lent(std::uint64_t seed) {
    if (to_device_) {
      verifier_.spoil(destination_);
    } else {
      constexpr std::size_t distance = std::size_t{64} << 10U;
      Verifier::spoil_sparsely(destination_, seed, distance);
    }
  }

  bool to_device_;
  bool managed_;
  bool is_lent_ = true;
  NewArray new_array_;
  Verifier& verifier_;
  Region source_{};
  Region destination_{};
};

class TransferMeasurement final : public Measurement {
 public:
  TransferMeasurement(const TransferCase& parsed, Fixtures& fixtures)
      : case_(parsed),
        arrays_(parsed, fixtures),
        stream_(fixtures.stream(parsed.stream)),
        transfer_(fixtures.transfer(parsed.strategy)) {}

  std::span<const std::string_view> figures() const override { return transfer_metric_names; }
  std::size_t tracked() const override { return static_cast<std::size_t>(case_.metric); }

  void prepare(std::uint64_t seed) override {
    seed_ = seed;
    arrays_.prepare(seed);
  }

  void sample(std::span<Nanoseconds> durations) override {
    arrays_.set_up(stream_, seed_);
    const Nanoseconds cpu_before = process_cpu_time();
    const TimePoint begin = now();
    arrays_.allocate(stream_);
    move();
    const TimePoint returned = now();
    stream_.sync();
    const TimePoint usable = now();
    const Nanoseconds cpu_after = process_cpu_time();
    const auto set = [&](TransferMetric figure, Nanoseconds duration) {
      durations[static_cast<std::size_t>(figure)] = duration;
    };
    set(TransferMetric::blocked, returned - begin);
    set(TransferMetric::completion, usable - begin);
    set(TransferMetric::residual, usable - returned);
    set(TransferMetric::cpu_time, cpu_after - cpu_before);
  }

  void verify() override { arrays_.verify(seed_); }

  Findings conclude(std::span<const Summary> summaries) const override {
    const auto completion = static_cast<std::size_t>(TransferMetric::completion);
    const double seconds = std::chrono::duration<double>(summaries[completion].median).count();
    return {"", {{"bytes_per_second", static_cast<double>(case_.bytes) / seconds}}};
  }

 private:
  void move() {
    std::byte* const to = arrays_.destination().data;
    const std::byte* const from = arrays_.source().data;
    if (case_.direction == Direction::h2d) {
      transfer_.to_device(to, from, case_.bytes, stream_);
    } else {
      transfer_.to_host(to, from, case_.bytes, stream_);
    }
  }

  TransferCase case_;
  Arrays arrays_;
  StreamView stream_;
  ArrayTransfer& transfer_;
  std::uint64_t seed_ = 0;
};

}  // namespace

TransferCase TransferCase::parse(const AxisValues& values, Direction direction) {
  return {direction,
          parse_axis<ArrayStrategy>(values, "strategy", array_strategy_names),
          parse_axis<MemoryKind>(values, "mem", memory_kind_names),
          parse_axis<Allocation>(values, "alloc", allocation_names),
          parse_axis<StreamKind>(values, "stream", stream_kind_names),
          parse_axis<TransferMetric>(values, "metric", transfer_metric_names),
          values.number("bytes")};
}

// An array that the operation makes itself needs its room as well, and so does managed memory on
// both sides.
MemoryNeeds TransferCase::memory_needs() const {
  return {{memory, bytes}, {MemoryKind::device, bytes}};
}

std::unique_ptr<Measurement> make_transfer(const TransferCase& parsed, Fixtures& fixtures) {
  return std::make_unique<TransferMeasurement>(parsed, fixtures);
}

}  // namespace copybench
