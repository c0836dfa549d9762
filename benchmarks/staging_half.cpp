// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/staging_half.hpp"

#include <algorithm>
#include <chrono>

#include "common/affinity.hpp"
#include "common/measurement/clock.hpp"
#include "common/measurement/pattern.hpp"

namespace copybench {
namespace {

enum Figure : std::size_t { completion, pinned_completion };
constexpr std::array<std::string_view, 2> figure_names{"completion", "pinned_completion"};

template <typename Work>
void for_each_piece(const Region& region, const Work& work) {
  constexpr std::size_t piece_bytes = StagingHalf::piece_bytes;
  for (std::size_t offset = 0; offset < region.bytes; offset += piece_bytes) {
    work(Region{region.kind, region.data + offset, std::min(piece_bytes, region.bytes - offset)});
  }
}

}  // namespace

StagingHalf::StagingHalf(const StagingHalfSetup& setup, Fixtures& fixtures)
    : setup_(setup),
      array_(fixtures.region(MemoryKind::pageable, Role::source, setup.bytes)),
      chunks_(fixtures.region(MemoryKind::pinned, Role::source, setup.bytes)),
      ring_(fixtures.region(MemoryKind::pinned, Role::destination, ring_bytes)),
      device_(fixtures.region(MemoryKind::device, Role::destination, setup.bytes)),
      streams_{fixtures.stream(StreamKind::nonblocking),
               fixtures.other_stream(StreamKind::nonblocking)},
      verifier_(fixtures.verifier()),
      used_bytes_(setup.threads),
      copy_each_once_([this] { copy_each_once(); }),
      copy_until_the_end_([this] { copy_until_the_end(); }),
      copy_chunks_and_end_([this] {
        try {
          copy_chunks();
        } catch (...) {
          // The threads beside the link would go on for ever.
          is_over_ = true;
          throw;
        }
        is_over_ = true;
      }),
      crew_(setup.half == Half::link_beside_host ? setup.threads + 1 : setup.threads,
            [cpus = helping_cpus()] { (void)run_on(cpus); }) {}

std::span<const std::string_view> StagingHalf::figures() const { return figure_names; }
std::size_t StagingHalf::tracked() const { return Figure::completion; }

void StagingHalf::prepare(std::uint64_t seed) {
  seed_ = seed;
  const bool is_to_device = setup_.direction == Direction::h2d;
  verifier_.fill(is_to_device ? chunks_ : device_, seed);
  verifier_.poison(is_to_device ? device_ : chunks_);
  if (setup_.half == Half::link_after_host && is_to_device) {
    verifier_.fill(array_, seed);
  }
  if (setup_.half == Half::link || setup_.half == Half::link_after_host) {
    return;
  }
  // The pattern anew in every piece: whichever is the last to reach its place, it holds the
  // pattern.
  const Region& from = is_to_device ? array_ : ring_;
  for_each_piece(from, [&](const Region& piece) { verifier_.fill(piece, seed); });
  verifier_.spoil(is_to_device ? ring_ : array_);
}

void StagingHalf::sample(std::span<Nanoseconds> durations) {
  const TimePoint begin_pinned = now();
  copy_on_link(bound_memory(), 0, setup_.bytes, streams_[0]);
  streams_[0].sync();
  durations[Figure::pinned_completion] = now() - begin_pinned;
  // What the bound has brought must not stand in for what the chunks lose.
  if (setup_.half != Half::host) {
    verifier_.spoil(setup_.direction == Direction::h2d ? device_ : chunks_);
  }
  taken_ = 0;
  lanes_ = 0;
  is_over_ = false;
  std::ranges::fill(used_bytes_, 0);
  if (setup_.half == Half::link_after_host) {
    if (setup_.direction == Direction::h2d) {
      // Nor what chunks the threads have left as they were.
      verifier_.spoil(chunks_);
    }
    crew_.run(setup_.threads, copy_each_once_, copy_each_once_);
  }
  const TimePoint begin = now();
  if (setup_.half == Half::link || setup_.half == Half::link_after_host) {
    copy_chunks();
  } else if (setup_.half == Half::host) {
    crew_.run(setup_.threads, copy_each_once_, copy_each_once_);
  } else {
    crew_.run(setup_.threads, copy_chunks_and_end_, copy_until_the_end_);
  }
  durations[Figure::completion] = now() - begin;
}

void StagingHalf::verify() {
  const bool is_to_device = setup_.direction == Direction::h2d;
  verifier_.verify(is_to_device ? device_ : chunks_, seed_);
  if (setup_.half == Half::host) {
    const auto verify_pieces = [this](const Region& region) {
      for_each_piece(region,
                     [this](const Region& piece) { verifier_.verify_unguarded(piece, seed_); });
    };
    if (!is_to_device) {
      verify_pieces(array_);
    }
    for (std::size_t lane = 0; is_to_device && lane < used_bytes_.size(); ++lane) {
      verify_pieces({ring_.kind, ring_.data + lane * lane_bytes(), used_bytes_[lane]});
    }
  }
}

Findings StagingHalf::conclude(std::span<const Summary> summaries) const {
  using Seconds = std::chrono::duration<double>;
  const double half = Seconds(summaries[Figure::completion].median).count();
  const double pinned = Seconds(summaries[Figure::pinned_completion].median).count();
  return {"",
          {{"bytes_per_second", static_cast<double>(setup_.bytes) / half},
           {"pinned_fraction", pinned / half}}};
}

// The bound is of memory that no thread has just been at.
std::byte* StagingHalf::bound_memory() const {
  return setup_.half == Half::link_after_host ? ring_.data : chunks_.data;
}

void StagingHalf::copy_on_link(std::byte* host, std::size_t offset, std::size_t bytes,
                               StreamView stream) const {
  if (setup_.direction == Direction::h2d) {
    copy_async(device_.data + offset, host + offset, bytes, Direction::h2d, stream);
  } else {
    copy_async(host + offset, device_.data + offset, bytes, Direction::d2h, stream);
  }
}

void StagingHalf::copy_chunks() const {
  std::size_t stream = 0;
  for (std::size_t offset = 0; offset < setup_.bytes; offset += setup_.chunk_bytes) {
    copy_on_link(chunks_.data, offset, std::min(setup_.chunk_bytes, setup_.bytes - offset),
                 streams_[stream]);
    stream = (stream + 1) % setup_.streams;
  }
  streams_[0].sync();
  streams_[1].sync();
}

std::size_t StagingHalf::pieces() const { return (setup_.bytes + piece_bytes - 1) / piece_bytes; }

// A thread has places of its own in the ring.
std::size_t StagingHalf::lane_bytes() const {
  return ring_bytes / setup_.threads / piece_bytes * piece_bytes;
}

// Together with other threads, each piece of the array.
void StagingHalf::copy_each_once() {
  const std::size_t lane = lanes_.fetch_add(1);
  std::size_t place = 0;
  for (std::size_t piece = taken_.fetch_add(1); piece < pieces(); piece = taken_.fetch_add(1)) {
    copy_piece(piece, lane, place++);
  }
}

// Pieces that no other thread copies, again and again.
void StagingHalf::copy_until_the_end() {
  const std::size_t lane = lanes_.fetch_add(1);
  std::size_t place = 0;
  for (std::size_t piece = lane; lane < pieces() && !is_over_;
       piece = piece + setup_.threads < pieces() ? piece + setup_.threads : lane) {
    copy_piece(piece, lane, place++);
  }
}

void StagingHalf::copy_piece(std::size_t piece, std::size_t lane, std::size_t place) {
  std::byte* const in_array = array_.data + piece * piece_bytes;
  const std::size_t in_lane = place * piece_bytes % lane_bytes();
  // What the link copies next is a piece of its chunks.
  std::byte* const in_ring = setup_.half == Half::link_after_host
                                 ? chunks_.data + piece * piece_bytes
                                 : ring_.data + lane * lane_bytes() + in_lane;
  const std::size_t bytes = std::min(piece_bytes, setup_.bytes - piece * piece_bytes);
  const bool is_to_ring = setup_.direction == Direction::h2d;
  std::byte* const to = is_to_ring ? in_ring : in_array;
  const std::byte* const from = is_to_ring ? in_array : in_ring;
  host_copy(setup_.store, to, from, bytes);
  used_bytes_[lane] = std::max(used_bytes_[lane], in_lane + bytes);
}

}  // namespace copybench
