// SPDX-License-Identifier: Apache-2.0
#include "common/staging/ring_sender.hpp"

#include <thread>

#include "common/cuda/copy.hpp"
#include "common/staging/store.hpp"

namespace copybench {
namespace {

// Less has been filled before a helper is awake.
constexpr std::size_t least_led_sending = std::size_t{512} << 10U;

}  // namespace

RingSender::RingSender(const ChunkPlan& plan, ChunkRing& ring, PieceQueue& pieces,
                       std::size_t threads)
    : RingTransfer(plan, ring, pieces, least_led_sending), threads_(threads) {}

// Alone there is no need of a queue, nor to ask whether a copy is done where nothing else is to do:
// cudaEventSynchronize sees the end some microseconds sooner than cudaEventQuery.
void RingSender::move_alone() {
  remove_all_copied();
  for (std::size_t offset = 0; offset < array().bytes;) {
    const std::size_t bytes = plan().bytes_at(offset);
    while (!ring().has_room(bytes)) {
      ring()[ring().begin()].copied.sync();
      ring().remove_oldest();
    }
    StagedChunk& chunk = ring().place(offset, bytes);
    copy_piece({ring().end() - 1, 0, bytes});
    send(chunk);
    offset += bytes;
  }
}

// Room in the ring is offered to all threads to fill.
void RingSender::lead() {
  const QueueClosing closing(pieces());
  remove_all_copied();
  std::size_t enqueued = ring().end();
  std::size_t offered_bytes = 0;
  for (std::size_t enqueued_bytes = 0; enqueued_bytes < array().bytes;) {
    const std::size_t next_bytes = plan().bytes_at(offered_bytes);
    if (next_bytes > 0 && ring().has_room(next_bytes)) {
      ring().place(offered_bytes, next_bytes);
      pieces().add(ring().end() - 1, next_bytes);
      offered_bytes += next_bytes;
    } else if (enqueued < ring().end() && ring()[enqueued].left == 0) {
      StagedChunk& full = ring()[enqueued++];
      send(full);
      enqueued_bytes += full.bytes;
    } else if (next_bytes > 0 && remove_copied(enqueued)) {
      continue;
    } else if (const auto piece = pieces().take()) {
      copy_piece(*piece);
    } else {
      std::this_thread::yield();
    }
  }
}

void RingSender::copy_piece(const PieceQueue::Piece& piece) {
  StagedChunk& chunk = ring()[piece.chunk];
  const std::size_t offset = chunk.offset + piece.offset;
  host_copy(store_to_ring(array().bytes, offset, {threads_, ring().bytes()}),
            chunk.memory + piece.offset, array().source + offset, piece.bytes);
  chunk.left -= piece.bytes;
}

// The oldest chunk, if it is before `enqueued` and has arrived on the device. Returns whether.
bool RingSender::remove_copied(std::size_t enqueued) {
  const bool is_copied = ring().begin() < enqueued && ring()[ring().begin()].copied.is_done();
  if (is_copied) {
    ring().remove_oldest();
  }
  return is_copied;
}

// What is written first is the likeliest to be in a cache.
void RingSender::remove_all_copied() {
  while (remove_copied(ring().end())) {
  }
  ring().rewind();
}

void RingSender::send(StagedChunk& full) const {
  copy_async(array().destination + full.offset, full.memory, full.bytes, Direction::h2d,
             array().stream);
  full.copied.record(array().stream);
}

}  // namespace copybench
