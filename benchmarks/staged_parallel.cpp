// SPDX-License-Identifier: Apache-2.0
// How close to the link does parallel staging come, with how many threads and chunks of which size?
#include <array>
#include <chrono>
#include <span>

#include "benchmarks/families.hpp"
#include "common/cuda/copy.hpp"
#include "common/measurement/clock.hpp"
#include "common/measurement/pattern.hpp"
#include "common/measurement/quiet_cpu.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

// Of a sample: the transfer, and the bound, a copy of as many bytes from or to pinned memory.
enum Figure : std::size_t { completion, blocked, cpu_time, pinned_completion };
constexpr std::array<std::string_view, 4> figure_names{"completion", "blocked", "cpu_time",
                                                       "pinned_completion"};

ParallelStagingSettings parse_settings(const AxisValues& values) {
  return {.threads = values.number("threads"),
          .chunk_bytes = values.number("chunk"),
          .chunks = values.number("chunks"),
          .piece_bytes = values.number("piece")};
}

Direction parse_direction(const AxisValues& values) {
  return parse_axis<Direction>(values, "dir", direction_names);
}

MemoryKind parse_memory(const AxisValues& values) {
  return parse_axis<MemoryKind>(values, "mem", memory_kind_names);
}

class StagedParallel final : public Measurement {
 public:
  StagedParallel(Direction direction, MemoryKind memory, std::size_t bytes,
                 const ParallelStagingSettings& settings, Fixtures& fixtures)
      : direction_(direction),
        host_(fixtures.region(memory, host_role(), bytes)),
        pinned_(fixtures.region(MemoryKind::pinned, host_role(), bytes)),
        device_(fixtures.region(MemoryKind::device, device_role(), bytes)),
        stream_(fixtures.stream(StreamKind::nonblocking)),
        piece_bytes_(settings.piece_bytes),
        staging_(fixtures.parallel_staging(settings)),
        verifier_(fixtures.verifier()) {}

  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return Figure::completion; }

  // The bytes of the bound are others: they must not stand in for those that staging has lost.
  void prepare(std::uint64_t seed) override {
    seed_ = seed;
    if (direction_ == Direction::h2d) {
      verifier_.fill(host_, seed);
      verifier_.fill(pinned_, other_seed(seed));
      verifier_.poison(device_);
    } else {
      verifier_.fill(device_, seed);
      verifier_.poison(pinned_);
      verifier_.poison(host_);
    }
  }

  void sample(std::span<Nanoseconds> durations) override {
    durations[Figure::pinned_completion] = time_pinned_copy();
    spoil_destination();
    const Nanoseconds cpu_before = process_cpu_time();
    const TimePoint begin = now();
    if (direction_ == Direction::h2d) {
      staging_.to_device(device_.data, host_.data, host_.bytes, stream_);
    } else {
      staging_.to_host(host_.data, device_.data, host_.bytes, stream_);
    }
    const TimePoint returned = now();
    stream_.sync();
    durations[Figure::completion] = now() - begin;
    durations[Figure::blocked] = returned - begin;
    durations[Figure::cpu_time] = process_cpu_time() - cpu_before;
  }

  void verify() override {
    verifier_.verify(direction_ == Direction::h2d ? device_ : host_, seed_);
    if (direction_ == Direction::d2h) {
      verifier_.verify(pinned_, seed_);
    }
  }

  Findings conclude(std::span<const Summary> summaries) const override {
    using Seconds = std::chrono::duration<double>;
    const double staged = Seconds(summaries[Figure::completion].median).count();
    const double pinned = Seconds(summaries[Figure::pinned_completion].median).count();
    return {"",
            {{"bytes_per_second", static_cast<double>(host_.bytes) / staged},
             {"pinned_fraction", pinned / staged}}};
  }

 private:
  [[nodiscard]] Role host_role() const {
    return direction_ == Direction::h2d ? Role::source : Role::destination;
  }
  [[nodiscard]] Role device_role() const {
    return direction_ == Direction::h2d ? Role::destination : Role::source;
  }

  // What the last sample has brought must not stand in for what this one loses.
  void spoil_destination() {
    if (direction_ == Direction::h2d) {
      verifier_.spoil(device_);
    } else {
      Verifier::spoil_sparsely(host_, seed_, piece_bytes_);
    }
  }

  Nanoseconds time_pinned_copy() const {
    const TimePoint begin = now();
    if (direction_ == Direction::h2d) {
      copy_async(device_.data, pinned_.data, pinned_.bytes, Direction::h2d, stream_);
    } else {
      copy_async(pinned_.data, device_.data, pinned_.bytes, Direction::d2h, stream_);
    }
    stream_.sync();
    return now() - begin;
  }

  Direction direction_;
  Region host_;
  Region pinned_;
  Region device_;
  StreamView stream_;
  std::size_t piece_bytes_;
  ParallelStaging& staging_;
  Verifier& verifier_;
  std::uint64_t seed_ = 0;
};

MemoryNeeds memory_needs(const AxisValues& values) {
  const std::size_t bytes = values.number("bytes");
  const ParallelStagingSettings settings = parse_settings(values);
  return {{parse_memory(values), bytes},
          {MemoryKind::pinned, bytes + settings.chunks * settings.chunk_bytes},
          {MemoryKind::device, bytes}};
}

// With fewer it would show the scheduler.
std::optional<std::string> lacks(const AxisValues& values, const Device& /*device*/) {
  const std::size_t threads = values.number("threads");
  if (threads > cpu_count()) {
    return "needs " + std::to_string(threads) + " processors";
  }
  return std::nullopt;
}

std::optional<std::string> refuse(const AxisValues& values) {
  const MemoryKind memory = parse_memory(values);
  if (memory != MemoryKind::pageable && memory != MemoryKind::pageable_thp) {
    return "mem: must be pageable or pageable_thp";
  }
  constexpr std::size_t most_threads = 256;
  for (const char* const axis : {"threads", "chunk", "chunks", "piece"}) {
    if (values.number(axis) == 0) {
      return std::string(axis) + ": expected at least 1";
    }
  }
  for (const char* const axis : {"threads", "chunks"}) {
    if (values.number(axis) > most_threads) {
      return std::string(axis) + ": expected at most " + std::to_string(most_threads);
    }
  }
  return std::nullopt;
}

Sweep sweep(std::string question, std::vector<std::string> threads, std::vector<std::string> chunk,
            std::vector<std::string> chunks, std::vector<std::string> piece,
            std::vector<std::string> bytes, std::vector<std::string> memories = {"pageable"}) {
  return {std::move(question),
          {{"dir", {"h2d", "d2h"}},
           {"mem", std::move(memories)},
           {"threads", std::move(threads)},
           {"chunk", std::move(chunk)},
           {"chunks", std::move(chunks)},
           {"piece", std::move(piece)},
           {"bytes", std::move(bytes)}},
          false};
}

}  // namespace

Family staged_parallel_family() {
  return {
      "staged_parallel",
      {sweep("How many threads does the array of the question need?",
             {"1", "2", "4", "6", "8", "12", "16"}, {"8388608"}, {"4"}, {"262144"}, {"800000000"}),
       sweep("And on huge pages, which numpy asks for?", {"1", "2", "4", "6", "8", "12", "16"},
             {"8388608"}, {"4"}, {"262144"}, {"800000000"}, {"pageable_thp"}),
       sweep("From which size on do more threads help?", {"1", "2", "4", "8"}, {"8388608"}, {"4"},
             {"262144"},
             {"65536", "131072", "262144", "524288", "1048576", "2097152", "4194304", "8388608",
              "16777216", "67108864"}),
       // In rings of 32 MiB.
       sweep("Which chunk is the best?", {"8"}, {"1048576"}, {"32"}, {"262144"}, {"800000000"}),
       sweep("Which chunk is the best?", {"8"}, {"2097152"}, {"16"}, {"262144"}, {"800000000"}),
       sweep("Which chunk is the best?", {"8"}, {"4194304"}, {"8"}, {"262144"}, {"800000000"}),
       sweep("Which chunk is the best?", {"8"}, {"16777216"}, {"2"}, {"262144"}, {"800000000"}),
       sweep("And which ring, of chunks that it holds four of?", {"8"},
             {"1048576", "2097152", "4194304", "16777216"}, {"4"}, {"262144"}, {"800000000"}),
       sweep("How many chunks does the ring need?", {"8"}, {"8388608"}, {"2", "3", "4", "6"},
             {"262144"}, {"800000000"}),
       sweep("What should a thread copy at a time?", {"8"}, {"8388608"}, {"4"},
             {"65536", "131072", "262144", "524288", "1048576"}, {"800000000"})},
      [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
        return std::make_unique<StagedParallel>(parse_direction(values), parse_memory(values),
                                                values.number("bytes"), parse_settings(values),
                                                fixtures);
      },
      memory_needs,
      refuse,
      lacks};
}

}  // namespace copybench
