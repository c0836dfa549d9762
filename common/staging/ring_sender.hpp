// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/staging/ring_transfer.hpp"

namespace copybench {

/// To the device: threads fill chunks, and full ones go on the link, in order. What is on the link
/// when an array has been read stays in the ring.
class RingSender final : public RingTransfer {
 public:
  /// `threads`: all that fill.
  RingSender(const ChunkPlan& plan, ChunkRing& ring, PieceQueue& pieces, std::size_t threads);

  void move_alone() override;
  void lead() override;

 private:
  void copy_piece(const PieceQueue::Piece& piece) override;
  bool remove_copied(std::size_t enqueued);
  void remove_all_copied();
  void send(StagedChunk& full) const;

  std::size_t threads_;
};

}  // namespace copybench
