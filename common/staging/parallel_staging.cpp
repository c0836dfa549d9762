// SPDX-License-Identifier: Apache-2.0
#include "common/staging/parallel_staging.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>

#include "common/affinity.hpp"
#include "common/cuda/copy.hpp"
#include "common/staging/streaming_copy.hpp"

namespace copybench {
namespace {

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
  if (settings.chunks > std::numeric_limits<std::size_t>::max() / settings.chunk_bytes) {
    throw std::invalid_argument("chunks: too many of that size");
  }
  if (!settings.cpus.empty() && !may_run_on(settings.cpus)) {
    throw std::invalid_argument("cpus: this process may run on none of them");
  }
}

ChunkPlan plan_for(const ParallelStagingSettings& settings) {
  check_settings(settings);
  return {settings.chunks * settings.chunk_bytes,
          std::min(settings.piece_bytes, settings.chunk_bytes), settings.chunk_bytes};
}

// Into at most how many chunks an array is divided that fits into the ring: one that is no multiple
// of a piece may have one more than that of the ring's size.
std::size_t chunks_of(const ChunkPlan& plan) {
  std::size_t chunks = 0;
  for (std::size_t offset = 0; offset < plan.total_bytes; offset += plan.bytes_at(offset)) {
    ++chunks;
  }
  return chunks + 1;
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
    : plan_(plan_for(settings)),
      ring_(plan_.total_bytes, chunks_of(plan_)),
      pieces_(ring_.most_chunks(), settings.piece_bytes),
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
      crew_(settings.threads, on_cpus(settings.cpus)) {}

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
  // With nothing to follow them, copies in flight are nobody's to wait for.
  if (transfer.bytes == 0) {
    return;
  }
  transfer_ = transfer;
  plan_.total_bytes = transfer.bytes;
  pieces_.open();
  try {
    const std::size_t helpers = transfer.bytes / worth_a_helper;
    is_alone_ = helpers == 0 || crew_.size() == 1;
    crew_.run(helpers, lead, help);
  } catch (...) {
    // A copy that was enqueued may have no event.
    (void)cudaStreamSynchronize(transfer.stream.get());
    settle();
    throw;
  }
}

// Waits for what is on the link. Errors have nobody left to tell them to.
void ParallelStaging::settle() noexcept {
  for (std::size_t number = ring_.begin(); number < ring_.end(); ++number) {
    (void)cudaEventSynchronize(ring_[number].copied.get());
  }
  ring_.clear();
}

// Room in the ring is offered to all threads to fill; full chunks go on the link, in order.
void ParallelStaging::lead_to_device() {
  const Closing closing(pieces_);
  const Transfer& t = transfer_;
  const auto remove_copied = [this](std::size_t enqueued) {
    const bool is_copied = ring_.begin() < enqueued && ring_[ring_.begin()].copied.is_done();
    if (is_copied) {
      ring_.remove_oldest();
    }
    return is_copied;
  };
  std::size_t enqueued = ring_.end();
  while (remove_copied(enqueued)) {
  }
  std::size_t offered_bytes = 0;
  for (std::size_t enqueued_bytes = 0; enqueued_bytes < t.bytes;) {
    const std::size_t next_bytes = plan_.bytes_at(offered_bytes);
    if (next_bytes > 0 && ring_.has_room(next_bytes)) {
      ring_.place(offered_bytes, next_bytes);
      pieces_.add(ring_.end() - 1, next_bytes);
      offered_bytes += next_bytes;
    } else if (enqueued < ring_.end() && ring_[enqueued].left == 0) {
      StagedChunk& full = ring_[enqueued++];
      copy_async(t.destination + full.offset, full.memory, full.bytes, Direction::h2d, t.stream);
      full.copied.record(t.stream);
      enqueued_bytes += full.bytes;
    } else if (next_bytes > 0 && remove_copied(enqueued)) {
      continue;
    } else if (const auto piece = pieces_.take()) {
      fill(*piece);
    } else {
      wait_for(ring_[ring_.begin()]);
    }
  }
}

// Copies into what room there is go on the link, in order; what has arrived is offered to all
// threads.
void ParallelStaging::lead_to_host() {
  const Closing closing(pieces_);
  const Transfer& t = transfer_;
  // They may still be on their way to the device, in another stream.
  for (std::size_t number = ring_.begin(); number < ring_.end(); ++number) {
    wait(t.stream, ring_[number].copied);
  }
  ring_.clear();
  std::size_t arrived = ring_.end();
  std::size_t enqueued_bytes = 0;
  for (std::size_t drained_bytes = 0; drained_bytes < t.bytes;) {
    const std::size_t next_bytes = plan_.bytes_at(enqueued_bytes);
    if (arrived < ring_.end() && ring_[arrived].copied.is_done()) {
      pieces_.add(arrived, ring_[arrived].bytes);
      ++arrived;
    } else if (ring_.begin() < arrived && ring_[ring_.begin()].left == 0) {
      drained_bytes += ring_[ring_.begin()].bytes;
      ring_.remove_oldest();
    } else if (next_bytes > 0 && ring_.has_room(next_bytes)) {
      StagedChunk& empty = ring_.place(enqueued_bytes, next_bytes);
      copy_async(empty.memory, t.source + empty.offset, empty.bytes, Direction::d2h, t.stream);
      empty.copied.record(t.stream);
      enqueued_bytes += empty.bytes;
    } else if (const auto piece = pieces_.take()) {
      drain(*piece);
    } else {
      wait_for(ring_[arrived]);
    }
  }
}

// Until there may be something to do. With nobody else at work that is when the copy is done, which
// cudaEventSynchronize sees some microseconds sooner than cudaEventQuery.
void ParallelStaging::wait_for(const StagedChunk& next_copied) const {
  if (is_alone_) {
    next_copied.copied.sync();
  } else {
    std::this_thread::yield();
  }
}

void ParallelStaging::fill(const PieceQueue::Piece& piece) {
  StagedChunk& chunk = ring_[piece.chunk];
  std::memcpy(chunk.memory + piece.offset, transfer_.source + chunk.offset + piece.offset,
              piece.bytes);
  chunk.left -= piece.bytes;
}

void ParallelStaging::drain(const PieceQueue::Piece& piece) {
  StagedChunk& chunk = ring_[piece.chunk];
  std::byte* const destination = transfer_.destination + chunk.offset + piece.offset;
  if (transfer_.bytes >= least_streamed) {
    streaming_copy(destination, chunk.memory + piece.offset, piece.bytes);
  } else {
    std::memcpy(destination, chunk.memory + piece.offset, piece.bytes);
  }
  chunk.left -= piece.bytes;
}

}  // namespace copybench
