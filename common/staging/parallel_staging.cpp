// SPDX-License-Identifier: Apache-2.0
#include "common/staging/parallel_staging.hpp"

#include <algorithm>
#include <thread>

#include "common/affinity.hpp"
#include "common/cuda/copy.hpp"
#include "common/staging/store.hpp"

namespace copybench {
namespace {

// For each of so many bytes a thread is woken: less has been copied before it is awake.
constexpr std::size_t worth_a_helper = std::size_t{512} << 10U;
// Emptying is faster than filling: what one thread empties alone is larger.
constexpr std::size_t least_led_sending = worth_a_helper;
constexpr std::size_t least_led_fetching = 2 * worth_a_helper;

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
      ring_(plan_.total_bytes, most_chunks_of(plan_)),
      pieces_(ring_.most_chunks(), settings.piece_bytes),
      sending_{least_led_sending, [this] { send_alone(); }, [this] { lead_sending(); },
               [this] {
                 while (const auto piece = pieces_.take_or_wait()) {
                   fill(*piece);
                 }
               }},
      fetching_{least_led_fetching, [this] { fetch_alone(); }, [this] { lead_fetching(); },
                [this] {
                  while (const auto piece = pieces_.take_or_wait()) {
                    drain(*piece);
                  }
                }},
      crew_(settings.threads, on_cpus(settings.cpus)) {}

ParallelStaging::~ParallelStaging() { settle(); }

void ParallelStaging::to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                                StreamView stream) {
  move({destination, source, bytes, stream}, sending_);
}

void ParallelStaging::to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
                              StreamView stream) {
  move({destination, source, bytes, stream}, fetching_);
}

void ParallelStaging::move(const Transfer& transfer, const Roles& roles) {
  // With nothing to follow them, copies in flight are nobody's to wait for.
  if (transfer.bytes == 0) {
    return;
  }
  transfer_ = transfer;
  plan_.total_bytes = transfer.bytes;
  try {
    if (transfer.bytes < roles.least_led || crew_.size() == 1) {
      roles.alone();
    } else {
      pieces_.open();
      crew_.run(transfer.bytes / worth_a_helper, roles.lead, roles.help);
    }
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

// Alone there is no need of a queue, nor to ask whether a copy is done where nothing else is to do:
// cudaEventSynchronize sees the end some microseconds sooner than cudaEventQuery.
void ParallelStaging::send_alone() {
  remove_all_copied();
  for (std::size_t offset = 0; offset < transfer_.bytes;) {
    const std::size_t bytes = plan_.bytes_at(offset);
    while (!ring_.has_room(bytes)) {
      ring_[ring_.begin()].copied.sync();
      ring_.remove_oldest();
    }
    StagedChunk& chunk = ring_.place(offset, bytes);
    fill({ring_.end() - 1, 0, bytes});
    send(chunk);
    offset += bytes;
  }
}

void ParallelStaging::fetch_alone() {
  take_back_ring();
  std::size_t enqueued_bytes = 0;
  for (std::size_t drained_bytes = 0; drained_bytes < transfer_.bytes;) {
    for (std::size_t next = plan_.bytes_at(enqueued_bytes); next > 0 && ring_.has_room(next);
         next = plan_.bytes_at(enqueued_bytes)) {
      enqueued_bytes += fetch(enqueued_bytes, next);
    }
    const StagedChunk& oldest = ring_[ring_.begin()];
    oldest.copied.sync();
    drain({ring_.begin(), 0, oldest.bytes});
    drained_bytes += oldest.bytes;
    ring_.remove_oldest();
  }
}

// Room in the ring is offered to all threads to fill; full chunks go on the link, in order.
void ParallelStaging::lead_sending() {
  const Closing closing(pieces_);
  remove_all_copied();
  std::size_t enqueued = ring_.end();
  std::size_t offered_bytes = 0;
  for (std::size_t enqueued_bytes = 0; enqueued_bytes < transfer_.bytes;) {
    const std::size_t next_bytes = plan_.bytes_at(offered_bytes);
    if (next_bytes > 0 && ring_.has_room(next_bytes)) {
      ring_.place(offered_bytes, next_bytes);
      pieces_.add(ring_.end() - 1, next_bytes);
      offered_bytes += next_bytes;
    } else if (enqueued < ring_.end() && ring_[enqueued].left == 0) {
      StagedChunk& full = ring_[enqueued++];
      send(full);
      enqueued_bytes += full.bytes;
    } else if (next_bytes > 0 && remove_copied(enqueued)) {
      continue;
    } else if (const auto piece = pieces_.take()) {
      fill(*piece);
    } else {
      std::this_thread::yield();
    }
  }
}

// Copies into what room there is go on the link, in order; what has arrived is offered to all
// threads.
void ParallelStaging::lead_fetching() {
  const Closing closing(pieces_);
  take_back_ring();
  std::size_t arrived = ring_.end();
  std::size_t enqueued_bytes = 0;
  for (std::size_t drained_bytes = 0; drained_bytes < transfer_.bytes;) {
    const std::size_t next_bytes = plan_.bytes_at(enqueued_bytes);
    if (arrived < ring_.end() && ring_[arrived].copied.is_done()) {
      pieces_.add(arrived, ring_[arrived].bytes);
      ++arrived;
    } else if (ring_.begin() < arrived && ring_[ring_.begin()].left == 0) {
      drained_bytes += ring_[ring_.begin()].bytes;
      ring_.remove_oldest();
    } else if (next_bytes > 0 && ring_.has_room(next_bytes)) {
      enqueued_bytes += fetch(enqueued_bytes, next_bytes);
    } else if (const auto piece = pieces_.take()) {
      drain(*piece);
    } else {
      std::this_thread::yield();
    }
  }
}

// The oldest chunk, if it is before `enqueued` and has arrived on the device. Returns whether.
bool ParallelStaging::remove_copied(std::size_t enqueued) {
  const bool is_copied = ring_.begin() < enqueued && ring_[ring_.begin()].copied.is_done();
  if (is_copied) {
    ring_.remove_oldest();
  }
  return is_copied;
}

// What is written first is the likeliest to be in a cache.
void ParallelStaging::remove_all_copied() {
  while (remove_copied(ring_.end())) {
  }
  ring_.rewind();
}

// The chunks may still be on their way to the device, in another stream. Small arrays then take
// turns going round the ring, as a device is slow to overwrite what is in a processor's own cache;
// large ones go round it anyway, and from the beginning on whole chunks fill it to the end.
void ParallelStaging::take_back_ring() {
  for (std::size_t number = ring_.begin(); number < ring_.end(); ++number) {
    wait(transfer_.stream, ring_[number].copied);
  }
  ring_.clear();
  if (transfer_.bytes > ring_.bytes() / 2) {
    ring_.rewind();
  }
}

void ParallelStaging::send(StagedChunk& full) const {
  copy_async(transfer_.destination + full.offset, full.memory, full.bytes, Direction::h2d,
             transfer_.stream);
  full.copied.record(transfer_.stream);
}

// Returns how many bytes, for the caller to count.
std::size_t ParallelStaging::fetch(std::size_t offset, std::size_t bytes) {
  StagedChunk& empty = ring_.place(offset, bytes);
  copy_async(empty.memory, transfer_.source + offset, bytes, Direction::d2h, transfer_.stream);
  empty.copied.record(transfer_.stream);
  return bytes;
}

void ParallelStaging::fill(const PieceQueue::Piece& piece) {
  StagedChunk& chunk = ring_[piece.chunk];
  const std::size_t offset = chunk.offset + piece.offset;
  host_copy(store_to_ring(transfer_.bytes, offset, {crew_.size(), ring_.bytes()}),
            chunk.memory + piece.offset, transfer_.source + offset, piece.bytes);
  chunk.left -= piece.bytes;
}

void ParallelStaging::drain(const PieceQueue::Piece& piece) {
  StagedChunk& chunk = ring_[piece.chunk];
  host_copy(store_to_array(transfer_.bytes), transfer_.destination + chunk.offset + piece.offset,
            chunk.memory + piece.offset, piece.bytes);
  chunk.left -= piece.bytes;
}

}  // namespace copybench
