// SPDX-License-Identifier: Apache-2.0
#include "common/staging/ring_fetcher.hpp"

#include <thread>

#include "common/cuda/copy.hpp"
#include "common/staging/store.hpp"

namespace copybench {
namespace {

// Emptying is faster than filling: less has been emptied before a helper is awake.
constexpr std::size_t least_led_fetching = std::size_t{1} << 20U;

}  // namespace

RingFetcher::RingFetcher(const ChunkPlan& plan, ChunkRing& ring, PieceQueue& pieces)
    : RingTransfer(plan, ring, pieces, least_led_fetching) {}

void RingFetcher::move_alone() {
  take_back_ring();
  std::size_t enqueued_bytes = 0;
  for (std::size_t drained_bytes = 0; drained_bytes < array().bytes;) {
    for (std::size_t next = plan().bytes_at(enqueued_bytes); next > 0 && ring().has_room(next);
         next = plan().bytes_at(enqueued_bytes)) {
      enqueued_bytes += fetch(enqueued_bytes, next);
    }
    const StagedChunk& oldest = ring()[ring().begin()];
    oldest.copied.sync();
    copy_piece({ring().begin(), 0, oldest.bytes});
    drained_bytes += oldest.bytes;
    ring().remove_oldest();
  }
}

// What has arrived is offered to all threads.
void RingFetcher::lead() {
  const QueueClosing closing(pieces());
  take_back_ring();
  std::size_t arrived = ring().end();
  std::size_t enqueued_bytes = 0;
  for (std::size_t drained_bytes = 0; drained_bytes < array().bytes;) {
    const std::size_t next_bytes = plan().bytes_at(enqueued_bytes);
    if (arrived < ring().end() && ring()[arrived].copied.is_done()) {
      pieces().add(arrived, ring()[arrived].bytes);
      ++arrived;
    } else if (ring().begin() < arrived && ring()[ring().begin()].left == 0) {
      drained_bytes += ring()[ring().begin()].bytes;
      ring().remove_oldest();
    } else if (next_bytes > 0 && ring().has_room(next_bytes)) {
      enqueued_bytes += fetch(enqueued_bytes, next_bytes);
    } else if (const auto piece = pieces().take()) {
      copy_piece(*piece);
    } else {
      std::this_thread::yield();
    }
  }
}

void RingFetcher::copy_piece(const PieceQueue::Piece& piece) {
  StagedChunk& chunk = ring()[piece.chunk];
  host_copy(store_to_array(array().bytes), array().destination + chunk.offset + piece.offset,
            chunk.memory + piece.offset, piece.bytes);
  chunk.left -= piece.bytes;
}

// The chunks may still be on their way to the device, in another stream. Small arrays then take
// turns going round the ring, as a device is slow to overwrite what is in a processor's own cache;
// large ones go round it anyway, and from the beginning on whole chunks fill it to the end.
void RingFetcher::take_back_ring() {
  for (std::size_t number = ring().begin(); number < ring().end(); ++number) {
    wait(array().stream, ring()[number].copied);
  }
  ring().clear();
  if (array().bytes > ring().bytes() / 2) {
    ring().rewind();
  }
}

// Returns how many bytes, for the caller to count.
std::size_t RingFetcher::fetch(std::size_t offset, std::size_t bytes) {
  StagedChunk& empty = ring().place(offset, bytes);
  copy_async(empty.memory, array().source + offset, bytes, Direction::d2h, array().stream);
  empty.copied.record(array().stream);
  return bytes;
}

}  // namespace copybench
