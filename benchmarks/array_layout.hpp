// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "common/kernels.hpp"
#include "common/measurement/verification.hpp"

namespace copybench {

/// Where many small arrays of one size lie at both ends of their copies, so that nothing can copy
/// two of them as one: each begins at a multiple of 256 bytes, there is a gap behind it, and the
/// order in which they are copied is another one than that of their places, at either end.
class ArrayLayout {
 public:
  /// `bytes` and `count` are at least 1.
  ArrayLayout(std::size_t bytes, std::size_t count);

  /// What all of them take at either end, gaps included.
  [[nodiscard]] static std::size_t extent(std::size_t bytes, std::size_t count);

  /// The copies, in the order in which they are made, from a region to another one.
  [[nodiscard]] std::vector<ArrayCopy> copies(std::byte* destination,
                                              const std::byte* source) const;
  /// What is to be found at the destination afterwards.
  [[nodiscard]] std::vector<Piece> pieces() const;

 private:
  std::size_t bytes_;
  // The places of the arrays in the order of their copies.
  std::vector<std::size_t> sources_;
  std::vector<std::size_t> destinations_;
};

}  // namespace copybench
