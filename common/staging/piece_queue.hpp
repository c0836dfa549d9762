// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

namespace copybench {

/// Hands out chunks of memory in pieces to several threads, in the order in which the chunks came.
/// Thread-safe. Its memory is allocated when it is made.
class PieceQueue {
 public:
  /// Bytes of a chunk, which the caller knows by number.
  struct Piece {
    std::size_t chunk;
    std::size_t offset;
    std::size_t bytes;
  };

  /// For at most so many chunks at a time. Opened for none yet.
  PieceQueue(std::size_t chunks, std::size_t piece_bytes);

  /// Takers are to wait for chunks that are still to come.
  void open();
  /// Takers get nothing any more, and what was not taken is forgotten.
  void close();
  /// Adds a chunk. At most as many as the queue is for may be there, not wholly taken.
  void add(std::size_t chunk, std::size_t bytes);

  /// Nothing: there is none at present.
  std::optional<Piece> take();
  /// Blocks the calling thread until there is one: first burning its core, as one is due soon,
  /// then asleep. Nothing: the queue was closed.
  std::optional<Piece> take_or_wait();

 private:
  struct Chunk {
    std::size_t number;
    std::size_t bytes;
  };

  std::optional<Piece> take_locked();

  std::size_t piece_bytes_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Chunk> chunks_;
  std::size_t first_ = 0;
  // Of the first chunk, how much is taken.
  std::size_t taken_bytes_ = 0;
  // Changed under the mutex; read without it by those who only look whether it is worth locking.
  std::atomic<std::size_t> count_{0};
  std::atomic<bool> is_open_{false};
};

}  // namespace copybench
