// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "common/cuda/stream.hpp"
#include "common/staging/chunk_plan.hpp"
#include "common/staging/chunk_ring.hpp"
#include "common/staging/piece_queue.hpp"

namespace copybench {

/// What ParallelStaging is asked to move, one way or the other.
struct StagedArray {
  std::byte* destination;
  const std::byte* source;
  std::size_t bytes;
  StreamView stream;
};

/// One of the two ways of arrays through the ring. One thread calls CUDA: it moves an array alone,
/// or leads others, which copy the pieces that it puts in the queue.
class RingTransfer {
 public:
  /// `plan` says how large chunks are; its bytes are the array's, of each anew. An array of
  /// `least_led_bytes` is worth waking others for.
  RingTransfer(const ChunkPlan& plan, ChunkRing& ring, PieceQueue& pieces,
               std::size_t least_led_bytes)
      : least_led_bytes_(least_led_bytes), plan_(plan), ring_(ring), pieces_(pieces) {}
  virtual ~RingTransfer() = default;
  RingTransfer(const RingTransfer&) = delete;
  RingTransfer& operator=(const RingTransfer&) = delete;
  RingTransfer(RingTransfer&&) = delete;
  RingTransfer& operator=(RingTransfer&&) = delete;

  /// What the next calls are about. Only when nobody is at work.
  void set_array(const StagedArray& array) {
    array_ = array;
    plan_.total_bytes = array.bytes;
  }
  [[nodiscard]] bool is_worth_leading() const { return array_.bytes >= least_led_bytes_; }

  /// Throws CudaError; copies may be in flight then, one of them without an event.
  virtual void move_alone() = 0;
  /// The same, with the queue open and others in help(). Closes it, however it ends.
  virtual void lead() = 0;
  /// Until the queue is closed.
  void help() {
    while (const auto piece = pieces_.take_or_wait()) {
      copy_piece(*piece);
    }
  }

 protected:
  /// Between the array and the ring, by any thread.
  virtual void copy_piece(const PieceQueue::Piece& piece) = 0;

  [[nodiscard]] const StagedArray& array() const { return array_; }
  [[nodiscard]] const ChunkPlan& plan() const { return plan_; }
  [[nodiscard]] ChunkRing& ring() const { return ring_; }
  [[nodiscard]] PieceQueue& pieces() const { return pieces_; }

 private:
  std::size_t least_led_bytes_;
  StagedArray array_{nullptr, nullptr, 0, StreamView(nullptr)};
  ChunkPlan plan_;
  ChunkRing& ring_;
  PieceQueue& pieces_;
};

/// For a leader: ends the work of those that take pieces, however it ends itself.
class QueueClosing {
 public:
  explicit QueueClosing(PieceQueue& pieces) : pieces_(pieces) {}
  ~QueueClosing() { pieces_.close(); }
  QueueClosing(const QueueClosing&) = delete;
  QueueClosing& operator=(const QueueClosing&) = delete;
  QueueClosing(QueueClosing&&) = delete;
  QueueClosing& operator=(QueueClosing&&) = delete;

 private:
  PieceQueue& pieces_;
};

}  // namespace copybench
