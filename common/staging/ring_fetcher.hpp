// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/staging/ring_transfer.hpp"

namespace copybench {

/// To the host: copies into what room there is go on the link, in order, and threads empty what has
/// arrived. Leaves an empty ring.
class RingFetcher final : public RingTransfer {
 public:
  RingFetcher(const ChunkPlan& plan, ChunkRing& ring, PieceQueue& pieces);

  void move_alone() override;
  void lead() override;

 private:
  void copy_piece(const PieceQueue::Piece& piece) override;
  void take_back_ring();
  std::size_t fetch(std::size_t offset, std::size_t bytes);
};

}  // namespace copybench
