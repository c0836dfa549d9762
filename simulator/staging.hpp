// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "simulator/rows.hpp"

namespace copybench::simulator {

/// The staging memory of one device: pageable bytes on their way to it.
class StagingPool {
 public:
  /// Returns once there is room for so many bytes. Throws Refusal when the context is lost.
  void take(std::size_t bytes);
  void give_back(std::size_t bytes);

 private:
  std::size_t taken_ = 0;
};

/// A copy of `bytes` bytes, from the one with this number on, in a pool's memory for as long as it
/// lives.
class StagedPiece {
 public:
  StagedPiece(StagingPool& pool, const Rows& source, std::size_t first, std::size_t bytes);
  ~StagedPiece();
  StagedPiece(const StagedPiece&) = delete;
  StagedPiece& operator=(const StagedPiece&) = delete;
  StagedPiece(StagedPiece&&) = delete;
  StagedPiece& operator=(StagedPiece&&) = delete;

  [[nodiscard]] Rows bytes() { return {.begin = memory_.data()}; }

 private:
  StagingPool& pool_;
  std::vector<std::byte> memory_;
};

}  // namespace copybench::simulator
