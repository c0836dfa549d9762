// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/kernels.hpp"

namespace copybench {

/// The seed of the n-th batch: neighbouring batches share no bytes that matter, so data left over
/// from an earlier batch is found.
[[nodiscard]] std::uint64_t batch_seed(std::uint64_t batch);

/// Writes the pattern of `seed` (weyl.hpp) into host memory.
void fill_pattern(std::span<std::byte> data, std::uint64_t seed);

/// Compares every byte of host memory with the pattern of `seed`.
[[nodiscard]] Mismatch compare_pattern(std::span<const std::byte> data, std::uint64_t seed);

/// Compares every byte of host memory with one value.
[[nodiscard]] Mismatch compare_constant(std::span<const std::byte> data, std::byte value);

/// The seed of a second pattern that agrees with the pattern of `seed` in no byte: each byte of the
/// difference is 0x55, to which a carry may be added, and so never 0.
[[nodiscard]] constexpr std::uint64_t other_seed(std::uint64_t seed) {
  constexpr std::uint64_t difference = 0x5555555555555555U;
  return seed + difference;
}

}  // namespace copybench
