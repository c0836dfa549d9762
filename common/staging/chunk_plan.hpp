// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

namespace copybench {

/// How an array is divided into chunks, each one copy on the link. Every copy costs the link a
/// pause of 2 to 3 us, so chunks are large; but the link idles until the first chunk is full, and
/// the host until the last has arrived, so those at both ends are small: they double from `least`
/// to `most` and halve again.
struct ChunkPlan {
  std::size_t total_bytes;
  std::size_t least_bytes;
  std::size_t most_bytes;

  /// The size of the chunk that begins at `offset`: 0 at the end alone.
  [[nodiscard]] constexpr std::size_t bytes_at(std::size_t offset) const noexcept {
    const std::size_t left = total_bytes - offset;
    const std::size_t grown = std::max(std::min(offset, left / 2), least_bytes);
    return std::min({grown / least_bytes * least_bytes, most_bytes, left});
  }
};

}  // namespace copybench
