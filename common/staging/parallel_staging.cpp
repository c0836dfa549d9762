// SPDX-License-Identifier: Apache-2.0
#include "common/staging/parallel_staging.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

#include "common/affinity.hpp"
#include "common/cuda/copy.hpp"
#include "common/staging/streaming_copy.hpp"

namespace copybench {
namespace {

constexpr std::size_t page = 4096;
// For each of so many bytes a thread is woken: less has been copied before it is awake.
constexpr std::size_t worth_a_helper = std::size_t{512} << 10U;
// Arrays on the host that are no smaller are written past the caches, which they would not stay in.
constexpr std::size_t least_streamed = std::size_t{4} << 20U;

void check_settings(const ParallelStagingSettings& settings) {
  const auto require = [](std::size_t value, const char* name) {
    if (value == 0) {
      throw std::invalid_argument(std::string(name) + ": expected at least 1");
    }
  };
  require(settings.threads, "threads");
  require(settings.chunk_bytes, "chunk_bytes");
  require(settings.chunks, "chunks");
  require(settings.piece_bytes, "piece_bytes");
}

std::size_t round_up(std::size_t value, std::size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

std::size_t ring_bytes(const ParallelStagingSettings& settings) {
  check_settings(settings);
  return settings.chunks * round_up(settings.chunk_bytes, page);
}

std::function<void()> on_cpus(const std::vector<int>& cpus) {
  return [cpus] {
    if (!cpus.empty()) {
      (void)run_on(cpus);
    }
  };
}

// Ends the work of those that take pieces, however their leader ends.
class Closing {
 public:
  explicit Closing(PieceQueue& pieces) : pieces_(pieces) {}
  ~Closing() { pieces_.close(); }
  Closing(const Closing&) = delete;
  Closing& operator=(const Closing&) = delete;
  Closing(Closing&&) = delete;
  Closing& operator=(Closing&&) = delete;

 private:
  PieceQueue& pieces_;
};

}  // namespace

ParallelStaging::ParallelStaging(const ParallelStagingSettings& settings)
    : ring_(MemoryKind::pinned, ring_bytes(settings)),
      chunks_(settings.chunks),
      plan_{0, std::min(settings.piece_bytes, settings.chunk_bytes), settings.chunk_bytes},
      pieces_(settings.chunks, settings.piece_bytes),
      lead_to_device_([this] { lead_to_device(); }),
      lead_to_host_([this] { lead_to_host(); }),
      help_fill_([this] {
        while (const auto piece = pieces_.take_or_wait()) {
          fill(*piece);
        }
      }),
      help_drain_([this] {
        while (const auto piece = pieces_.take_or_wait()) {
          drain(*piece);
        }
      }),
      crew_(settings.threads, on_cpus(settings.cpus)) {
  std::byte* memory = ring_.data();
  for (Chunk& chunk : chunks_) {
    chunk.memory = memory;
    memory += round_up(settings.chunk_bytes, page);
  }
}

ParallelStaging::~ParallelStaging() { settle(); }

void ParallelStaging::to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                                StreamView stream) {
  move({destination, source, bytes, stream}, lead_to_device_, help_fill_);
}

void ParallelStaging::to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
                              StreamView stream) {
  move({destination, source, bytes, stream}, lead_to_host_, help_drain_);
}

void ParallelStaging::move(const Transfer& transfer, const std::function<void()>& lead,
                           const std::function<void()>& help) {
  transfer_ = transfer;
  plan_.total_bytes = transfer.bytes;
  pieces_.open();
  try {
    crew_.run(transfer.bytes / worth_a_helper, lead, help);
  } catch (...) {
    // A copy that was enqueued may have no event.
    (void)cudaStreamSynchronize(transfer.stream.get());
    settle();
    throw;
  }
}

// Waits for what is on the link. Errors have nobody left to tell them to.
void ParallelStaging::settle() noexcept {
  for (const Chunk& chunk : chunks_) {
    (void)cudaEventSynchronize(chunk.copied.get());
  }
  done_ = enqueued_;
}

ParallelStaging::Chunk& ParallelStaging::place(std::size_t number, std::size_t offset) {
  Chunk& placed = chunk(number);
  placed.offset = offset;
  placed.bytes = plan_.bytes_at(offset);
  placed.left = placed.bytes;
  return placed;
}

// Chunks that are not on the link are offered to all threads; full ones go on the link, in order.
void ParallelStaging::lead_to_device() {
  const Closing closing(pieces_);
  const Transfer& t = transfer_;
  std::size_t offered = enqueued_;
  std::size_t offered_bytes = 0;
  for (std::size_t enqueued_bytes = 0; enqueued_bytes < t.bytes;) {
    if (done_ < enqueued_ && offered - done_ == chunks_.size() && chunk(done_).copied.is_done()) {
      ++done_;
    }
    if (offered_bytes < t.bytes && offered - done_ < chunks_.size()) {
      const Chunk& empty = place(offered, offered_bytes);
      pieces_.add(offered++, empty.bytes);
      offered_bytes += empty.bytes;
    } else if (enqueued_ < offered && chunk(enqueued_).left == 0) {
      Chunk& full = chunk(enqueued_);
      copy_async(t.destination + full.offset, full.memory, full.bytes, Direction::h2d, t.stream);
      full.copied.record(t.stream);
      ++enqueued_;
      enqueued_bytes += full.bytes;
    } else if (const auto piece = pieces_.take()) {
      fill(*piece);
    } else {
      std::this_thread::yield();
    }
  }
}

// Empty chunks go on the link, in order; those that have arrived are offered to all threads.
void ParallelStaging::lead_to_host() {
  const Closing closing(pieces_);
  const Transfer& t = transfer_;
  // They may still be on their way to the device, in another stream.
  for (; done_ < enqueued_; ++done_) {
    wait(t.stream, chunk(done_).copied);
  }
  std::size_t drained = enqueued_;
  std::size_t enqueued_bytes = 0;
  for (std::size_t drained_bytes = 0; drained_bytes < t.bytes;) {
    if (done_ < enqueued_ && chunk(done_).copied.is_done()) {
      pieces_.add(done_, chunk(done_).bytes);
      ++done_;
    } else if (drained < done_ && chunk(drained).left == 0) {
      drained_bytes += chunk(drained++).bytes;
    } else if (enqueued_bytes < t.bytes && enqueued_ - drained < chunks_.size()) {
      Chunk& empty = place(enqueued_, enqueued_bytes);
      copy_async(empty.memory, t.source + empty.offset, empty.bytes, Direction::d2h, t.stream);
      empty.copied.record(t.stream);
      ++enqueued_;
      enqueued_bytes += empty.bytes;
    } else if (const auto piece = pieces_.take()) {
      drain(*piece);
    } else {
      std::this_thread::yield();
    }
  }
}

void ParallelStaging::fill(const PieceQueue::Piece& piece) {
  Chunk& chunk = this->chunk(piece.chunk);
  std::memcpy(chunk.memory + piece.offset, transfer_.source + chunk.offset + piece.offset,
              piece.bytes);
  chunk.left -= piece.bytes;
}

void ParallelStaging::drain(const PieceQueue::Piece& piece) {
  Chunk& chunk = this->chunk(piece.chunk);
  std::byte* const destination = transfer_.destination + chunk.offset + piece.offset;
  if (transfer_.bytes >= least_streamed) {
    streaming_copy(destination, chunk.memory + piece.offset, piece.bytes);
  } else {
    std::memcpy(destination, chunk.memory + piece.offset, piece.bytes);
  }
  chunk.left -= piece.bytes;
}

}  // namespace copybench
