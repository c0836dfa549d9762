// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "common/cuda/buffer.hpp"
#include "common/cuda/event.hpp"

namespace copybench {

/// A part of an array, the pinned memory that it passes through, and the end of its copy between
/// there and the device.
struct StagedChunk {
  std::byte* memory = nullptr;
  /// Where in the array it begins.
  std::size_t offset = 0;
  std::size_t bytes = 0;
  /// How many of the bytes no thread has copied yet.
  std::atomic<std::size_t> left{0};
  Event copied;
};

/// Pinned memory that chunks of any size are placed in, one behind the other, and removed from in
/// the same order. They are numbered as they are placed, from 0 on, for as long as the ring lives.
/// Not thread-safe, but for StagedChunk::left.
class ChunkRing {
 public:
  /// For at most so many chunks at a time. Throws CudaError.
  ChunkRing(std::size_t bytes, std::size_t most_chunks);

  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::size_t most_chunks() const noexcept { return chunks_.size(); }
  /// The number of the oldest chunk, and of the one to come. The same: there is none.
  [[nodiscard]] std::size_t begin() const noexcept { return begin_; }
  [[nodiscard]] std::size_t end() const noexcept { return end_; }
  [[nodiscard]] StagedChunk& operator[](std::size_t number) {
    return chunks_[number % chunks_.size()].chunk;
  }

  /// Whether a chunk of so many bytes can be placed. One of the whole ring can where there is none.
  [[nodiscard]] bool has_room(std::size_t bytes) const noexcept;
  /// Requires has_room(). The chunk is `left` in full. In an empty ring it does not share
  /// a page with the last one, unless it has to begin anew for lack of room.
  StagedChunk& place(std::size_t offset, std::size_t bytes);
  /// Requires that there is one.
  void remove_oldest() noexcept;
  void clear() noexcept;
  /// The next chunk of a ring that is empty begins with its first byte. One that is not stays as it
  /// is.
  void rewind() noexcept;

 private:
  struct Placed {
    StagedChunk chunk;
    std::size_t position = 0;
  };

  [[nodiscard]] std::size_t position_for(std::size_t bytes) const noexcept;

  Buffer memory_;
  std::size_t bytes_;
  std::vector<Placed> chunks_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  // Positions never go back: modulo the ring's bytes they are places in the memory.
  std::size_t begin_position_ = 0;
  std::size_t end_position_ = 0;
};

}  // namespace copybench
