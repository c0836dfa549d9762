// SPDX-License-Identifier: Apache-2.0
#include "simulator/staging.hpp"

#include "simulator/call.hpp"
#include "simulator/model.hpp"
#include "simulator/progress.hpp"

namespace copybench::simulator {

// A piece that is larger than the pool has it to itself.
void StagingPool::take(std::size_t bytes) {
  Progress& progress = Progress::get();
  std::unique_lock lock(progress.mutex);
  progress.changed.wait(lock, [&] {
    return progress.lost != cudaSuccess || taken_ == 0 ||
           static_cast<double>(taken_ + bytes) <= model().pool_bytes;
  });
  if (progress.lost != cudaSuccess) {
    lock.unlock();
    require_context();
  }
  taken_ += bytes;
}

void StagingPool::give_back(std::size_t bytes) {
  const std::scoped_lock lock(Progress::get().mutex);
  taken_ -= bytes;
  Progress::get().changed.notify_all();
}

StagedPiece::StagedPiece(StagingPool& pool, const Rows& source, std::size_t first,
                         std::size_t bytes)
    : pool_(pool), memory_(bytes) {
  pool_.take(bytes);
  move(this->bytes(), 0, source, first, bytes);
}

StagedPiece::~StagedPiece() { pool_.give_back(memory_.size()); }

}  // namespace copybench::simulator
