// SPDX-License-Identifier: Apache-2.0
#include "common/staging/piece_queue.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace copybench {
namespace {

using std::chrono_literals::operator""us;

// A chunk of the largest size is on the link for about as long.
constexpr auto patience = 200us;

}  // namespace

PieceQueue::PieceQueue(std::size_t chunks, std::size_t piece_bytes)
    : piece_bytes_(piece_bytes), chunks_(chunks) {}

void PieceQueue::open() {
  const std::scoped_lock lock(mutex_);
  is_open_ = true;
}

void PieceQueue::close() {
  {
    const std::scoped_lock lock(mutex_);
    is_open_ = false;
    count_ = 0;
    taken_bytes_ = 0;
  }
  changed_.notify_all();
}

void PieceQueue::add(std::size_t chunk, std::size_t bytes) {
  {
    const std::scoped_lock lock(mutex_);
    chunks_[(first_ + count_) % chunks_.size()] = {chunk, bytes};
    ++count_;
  }
  changed_.notify_all();
}

std::optional<PieceQueue::Piece> PieceQueue::take() {
  if (count_ == 0) {  // not worth locking
    return std::nullopt;
  }
  const std::scoped_lock lock(mutex_);
  return take_locked();
}

std::optional<PieceQueue::Piece> PieceQueue::take_or_wait() {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (is_open_ && std::chrono::steady_clock::now() < deadline) {
    if (const std::optional<Piece> piece = take()) {
      return piece;
    }
    std::this_thread::yield();
  }
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return count_ > 0 || !is_open_; });
  return take_locked();
}

std::optional<PieceQueue::Piece> PieceQueue::take_locked() {
  if (count_ == 0) {
    return std::nullopt;
  }
  const Chunk& chunk = chunks_[first_];
  const Piece piece{chunk.number, taken_bytes_, std::min(piece_bytes_, chunk.bytes - taken_bytes_)};
  taken_bytes_ += piece.bytes;
  if (taken_bytes_ == chunk.bytes) {
    taken_bytes_ = 0;
    first_ = (first_ + 1) % chunks_.size();
    --count_;
  }
  return piece;
}

}  // namespace copybench
