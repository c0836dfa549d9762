// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/host_device.hpp"

// The bytes of every copy are a Weyl sequence: word i is seed + i * an odd constant, modulo 2^64.
// No two words of a buffer are equal, so a copy that is short, shifted or torn shows; filling needs
// one addition a word, so it runs at memory speed. Little-endian, as everything CUDA runs on.

namespace copybench {

[[nodiscard]] COPYBENCH_HOST_DEVICE constexpr std::uint64_t weyl_word(std::uint64_t seed,
                                                                      std::uint64_t index) {
  constexpr std::uint64_t step = 0x9e3779b97f4a7c15U;  // 2^64 divided by the golden ratio, odd
  return seed + index * step;
}

[[nodiscard]] COPYBENCH_HOST_DEVICE constexpr std::byte weyl_byte(std::uint64_t seed,
                                                                  std::size_t index) {
  constexpr unsigned bits_per_byte = 8;
  const auto shift = static_cast<unsigned>(index % sizeof(std::uint64_t)) * bits_per_byte;
  return static_cast<std::byte>(weyl_word(seed, index / sizeof(std::uint64_t)) >> shift & 0xffU);
}

}  // namespace copybench
