// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

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

/// A copy of some bytes in a pool's memory, for as long as it lives.
class StagedPiece {
 public:
  StagedPiece(StagingPool& pool, const std::byte* source, std::size_t bytes);
  ~StagedPiece();
  StagedPiece(const StagedPiece&) = delete;
  StagedPiece& operator=(const StagedPiece&) = delete;
  StagedPiece(StagedPiece&&) = delete;
  StagedPiece& operator=(StagedPiece&&) = delete;

  [[nodiscard]] const std::byte* data() const { return memory_.data(); }

 private:
  StagingPool& pool_;
  std::vector<std::byte> memory_;
};

}  // namespace copybench::simulator
