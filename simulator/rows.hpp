// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>

namespace copybench::simulator {

/// Where the bytes of one end of a copy lie: rows of `width` bytes that begin `pitch` bytes apart.
/// Without the two, one row.
struct Rows {
  std::byte* begin = nullptr;
  std::size_t width = std::numeric_limits<std::size_t>::max();
  std::size_t pitch = 0;

  /// The i-th of the bytes, the gaps left out.
  [[nodiscard]] std::byte* at(std::size_t i) const { return begin + i / width * pitch + i % width; }
  /// How many there are from the i-th to the end of its row.
  [[nodiscard]] std::size_t left_in_row(std::size_t i) const { return width - i % width; }
};

/// Moves `bytes` bytes, the first of them the one with this number.
void move(const Rows& destination, std::size_t first_there, const Rows& source,
          std::size_t first_here, std::size_t bytes);

}  // namespace copybench::simulator
