// SPDX-License-Identifier: Apache-2.0
// What keeps parallel staging from the speed of the pinned copy? Its halves, each without the
// other: the link copying chunks that are full already, threads copying between the array and a
// ring that the link leaves alone, and the first beside the second.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <span>

#include "benchmarks/families.hpp"
#include "common/affinity.hpp"
#include "common/cuda/copy.hpp"
#include "common/measurement/clock.hpp"
#include "common/measurement/pattern.hpp"
#include "common/staging/streaming_copy.hpp"
#include "common/staging/thread_crew.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

enum class Half { link, host, link_beside_host };
constexpr std::array<std::string_view, 3> half_names{"link", "host", "link_beside_host"};

// Of a sample: the half, and the bound, one copy of as many bytes from or to pinned memory.
enum Figure : std::size_t { completion, pinned_completion };
constexpr std::array<std::string_view, 2> figure_names{"completion", "pinned_completion"};

// As large as the ring of ParallelStaging, and what one of its threads copies at a time.
constexpr std::size_t ring_bytes = std::size_t{32} << 20U;
constexpr std::size_t piece_bytes = std::size_t{256} << 10U;

struct Setup {
  Half half;
  Direction direction;
  std::size_t threads;
  std::size_t chunk_bytes;
  std::size_t streams;
  std::size_t bytes;
};

Setup parse_setup(const AxisValues& values) {
  return {.half = parse_axis<Half>(values, "half", half_names),
          .direction = parse_axis<Direction>(values, "dir", direction_names),
          .threads = values.number("threads"),
          .chunk_bytes = values.number("chunk"),
          .streams = values.number("streams"),
          .bytes = values.number("bytes")};
}

class StagingLimit final : public Measurement {
 public:
  StagingLimit(const Setup& setup, Fixtures& fixtures)
      : setup_(setup),
        array_(fixtures.region(MemoryKind::pageable, Role::source, setup.bytes)),
        chunks_(fixtures.region(MemoryKind::pinned, Role::source, setup.bytes)),
        ring_(fixtures.region(MemoryKind::pinned, Role::destination, ring_bytes)),
        device_(fixtures.region(MemoryKind::device, Role::destination, setup.bytes)),
        streams_{fixtures.stream(StreamKind::nonblocking),
                 fixtures.other_stream(StreamKind::nonblocking)},
        verifier_(fixtures.verifier()),
        crew_(setup.threads, [cpus = helping_cpus()] { (void)run_on(cpus); }) {}

  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return Figure::completion; }

  void prepare(std::uint64_t seed) override {
    seed_ = seed;
    const bool is_to_device = setup_.direction == Direction::h2d;
    verifier_.fill(is_to_device ? chunks_ : device_, seed);
    verifier_.poison(is_to_device ? device_ : chunks_);
    if (setup_.half == Half::link) {
      return;
    }
    // The pattern anew in every piece: whichever is the last to reach its place, it holds the
    // pattern.
    const Region& from = is_to_device ? array_ : ring_;
    for_each_piece(from, [&](const Region& piece) { verifier_.fill(piece, seed); });
    verifier_.spoil(is_to_device ? ring_ : array_);
  }

  void sample(std::span<Nanoseconds> durations) override {
    const TimePoint begin_pinned = now();
    copy_on_link(0, setup_.bytes, streams_[0]);
    streams_[0].sync();
    durations[Figure::pinned_completion] = now() - begin_pinned;
    taken_ = 0;
    lanes_ = 0;
    is_over_ = false;
    const TimePoint begin = now();
    if (setup_.half == Half::link) {
      copy_chunks();
    } else if (setup_.half == Half::host) {
      crew_.run(setup_.threads, copy_each_once_, copy_each_once_);
    } else {
      crew_.run(setup_.threads, copy_chunks_and_end_, copy_until_the_end_);
    }
    durations[Figure::completion] = now() - begin;
  }

  void verify() override {
    const bool is_to_device = setup_.direction == Direction::h2d;
    verifier_.verify(is_to_device ? device_ : chunks_, seed_);
    if (setup_.half == Half::host) {
      // Of the ring only the first thread's places are used for sure.
      const Region used{ring_.kind, ring_.data, std::min(lane_bytes(), setup_.bytes)};
      for_each_piece(is_to_device ? used : array_,
                     [&](const Region& piece) { verifier_.verify_unguarded(piece, seed_); });
    }
  }

  Findings conclude(std::span<const Summary> summaries) const override {
    using Seconds = std::chrono::duration<double>;
    const double half = Seconds(summaries[Figure::completion].median).count();
    const double pinned = Seconds(summaries[Figure::pinned_completion].median).count();
    return {"",
            {{"bytes_per_second", static_cast<double>(setup_.bytes) / half},
             {"pinned_fraction", pinned / half}}};
  }

 private:
  template <typename Work>
  static void for_each_piece(const Region& region, const Work& work) {
    for (std::size_t offset = 0; offset < region.bytes; offset += piece_bytes) {
      work(Region{region.kind, region.data + offset, std::min(piece_bytes, region.bytes - offset)});
    }
  }

  void copy_on_link(std::size_t offset, std::size_t bytes, StreamView stream) const {
    if (setup_.direction == Direction::h2d) {
      copy_async(device_.data + offset, chunks_.data + offset, bytes, Direction::h2d, stream);
    } else {
      copy_async(chunks_.data + offset, device_.data + offset, bytes, Direction::d2h, stream);
    }
  }

  void copy_chunks() const {
    std::size_t stream = 0;
    for (std::size_t offset = 0; offset < setup_.bytes; offset += setup_.chunk_bytes) {
      copy_on_link(offset, std::min(setup_.chunk_bytes, setup_.bytes - offset), streams_[stream]);
      stream = (stream + 1) % setup_.streams;
    }
    streams_[0].sync();
    streams_[1].sync();
  }

  [[nodiscard]] std::size_t pieces() const {
    return (setup_.bytes + piece_bytes - 1) / piece_bytes;
  }
  // A thread has places of its own in the ring.
  [[nodiscard]] std::size_t lane_bytes() const {
    return ring_bytes / setup_.threads / piece_bytes * piece_bytes;
  }

  // Together with other threads, each piece of the array.
  void copy_each_once() {
    const std::size_t lane = lanes_.fetch_add(1);
    std::size_t place = 0;
    for (std::size_t piece = taken_.fetch_add(1); piece < pieces(); piece = taken_.fetch_add(1)) {
      copy_piece(piece, lane, place++);
    }
  }

  // Pieces that no other thread copies, again and again.
  void copy_until_the_end() {
    const std::size_t lane = lanes_.fetch_add(1);
    std::size_t place = 0;
    for (std::size_t piece = lane; lane < pieces() && !is_over_;
         piece = piece + setup_.threads < pieces() ? piece + setup_.threads : lane) {
      copy_piece(piece, lane, place++);
    }
  }

  void copy_piece(std::size_t piece, std::size_t lane, std::size_t place) const {
    std::byte* const in_array = array_.data + piece * piece_bytes;
    std::byte* const in_ring =
        ring_.data + lane * lane_bytes() + place * piece_bytes % lane_bytes();
    const std::size_t bytes = std::min(piece_bytes, setup_.bytes - piece * piece_bytes);
    if (setup_.direction == Direction::h2d) {
      std::memcpy(in_ring, in_array, bytes);
    } else {
      streaming_copy(in_array, in_ring, bytes);
    }
  }

  Setup setup_;
  Region array_;
  Region chunks_;
  Region ring_;
  Region device_;
  std::array<StreamView, 2> streams_;
  Verifier& verifier_;
  std::uint64_t seed_ = 0;
  // How many pieces are taken, and by how many threads.
  std::atomic<std::size_t> taken_{0};
  std::atomic<std::size_t> lanes_{0};
  std::atomic<bool> is_over_{false};
  const std::function<void()> copy_each_once_{[this] { copy_each_once(); }};
  const std::function<void()> copy_until_the_end_{[this] { copy_until_the_end(); }};
  const std::function<void()> copy_chunks_and_end_{[this] {
    copy_chunks();
    is_over_ = true;
  }};
  // Last: its threads use the rest.
  ThreadCrew crew_;
};

MemoryNeeds memory_needs(const AxisValues& values) {
  const std::size_t bytes = values.number("bytes");
  return {{MemoryKind::pageable, bytes},
          {MemoryKind::pinned, bytes + ring_bytes},
          {MemoryKind::device, bytes}};
}

std::optional<std::string> refuse(const AxisValues& values) {
  const auto require = [&](const char* axis, std::size_t most) -> std::optional<std::string> {
    const std::size_t value = values.number(axis);
    if (value == 0 || value > most) {
      return std::string(axis) + ": expected 1 to " + std::to_string(most);
    }
    return std::nullopt;
  };
  for (const auto& refused : {require("threads", ring_bytes / piece_bytes), require("streams", 2),
                              require("chunk", ~std::size_t{0})}) {
    if (refused) {
      return refused;
    }
  }
  return std::nullopt;
}

Sweep sweep(std::string question, std::string half, std::vector<std::string> threads,
            std::vector<std::string> chunk, std::vector<std::string> streams) {
  return {std::move(question),
          {{"half", {std::move(half)}},
           {"dir", {"h2d", "d2h"}},
           {"threads", std::move(threads)},
           {"chunk", std::move(chunk)},
           {"streams", std::move(streams)},
           {"bytes", {"268435456"}}},
          false};
}

}  // namespace

Family staging_limits_family() {
  return {
      "staging_limits",
      {sweep("What does the link lose between two chunks?", "link", {"1"},
             {"524288", "1048576", "2097152", "4194304", "8388608", "16777216"}, {"1"}),
       sweep("Does a second stream fill the pauses?", "link", {"1"}, {"1048576", "4194304"}, {"2"}),
       sweep("How fast do threads fill or empty chunks?", "host",
             {"1", "2", "4", "6", "8", "12", "16"}, {"8388608"}, {"1"}),
       sweep("What do threads that fill or empty chunks cost the link?", "link_beside_host",
             {"4", "8", "12"}, {"8388608"}, {"1"})},
      [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
        return std::make_unique<StagingLimit>(parse_setup(values), fixtures);
      },
      memory_needs,
      refuse};
}

}  // namespace copybench
