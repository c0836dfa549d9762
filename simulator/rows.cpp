// SPDX-License-Identifier: Apache-2.0
#include "simulator/rows.hpp"

#include <algorithm>
#include <cstring>

namespace copybench::simulator {

void move(const Rows& destination, std::size_t first_there, const Rows& source,
          std::size_t first_here, std::size_t bytes) {
  for (std::size_t moved = 0; moved < bytes;) {
    const std::size_t there = first_there + moved;
    const std::size_t here = first_here + moved;
    const std::size_t part =
        std::min({bytes - moved, destination.left_in_row(there), source.left_in_row(here)});
    std::memmove(destination.at(there), source.at(here), part);
    moved += part;
  }
}

}  // namespace copybench::simulator
