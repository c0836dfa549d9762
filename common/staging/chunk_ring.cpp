// SPDX-License-Identifier: Apache-2.0
#include "common/staging/chunk_ring.hpp"

namespace copybench {

ChunkRing::ChunkRing(std::size_t bytes, std::size_t most_chunks)
    : memory_(MemoryKind::pinned, bytes), bytes_(bytes), chunks_(most_chunks) {}

// A chunk is in one piece: one that would reach past the end of the memory begins at its beginning.
std::size_t ChunkRing::position_for(std::size_t bytes) const noexcept {
  const std::size_t place = end_position_ % bytes_;
  return place + bytes > bytes_ ? end_position_ + bytes_ - place : end_position_;
}

bool ChunkRing::has_room(std::size_t bytes) const noexcept {
  if (begin_ == end_) {
    return bytes <= bytes_;
  }
  return end_ - begin_ < chunks_.size() && position_for(bytes) + bytes - begin_position_ <= bytes_;
}

StagedChunk& ChunkRing::place(std::size_t offset, std::size_t bytes) {
  Placed& placed = chunks_[end_ % chunks_.size()];
  placed.position = position_for(bytes);
  if (begin_ == end_) {
    begin_position_ = placed.position;
  }
  ++end_;
  end_position_ = placed.position + bytes;
  placed.chunk.memory = memory_.data() + placed.position % bytes_;
  placed.chunk.offset = offset;
  placed.chunk.bytes = bytes;
  placed.chunk.left = bytes;
  return placed.chunk;
}

void ChunkRing::remove_oldest() noexcept {
  ++begin_;
  if (begin_ == end_) {
    clear();
  } else {
    begin_position_ = chunks_[begin_ % chunks_.size()].position;
  }
}

void ChunkRing::clear() noexcept {
  constexpr std::size_t page = 4096;
  begin_ = end_;
  end_position_ = (end_position_ + page - 1) / page * page;
}

void ChunkRing::rewind() noexcept {
  if (begin_ == end_) {
    end_position_ = 0;
  }
}

}  // namespace copybench
