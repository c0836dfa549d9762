// SPDX-License-Identifier: Apache-2.0
#include "common/staging/demoting_copy.hpp"

#include <cstring>

#if defined(__x86_64__)
#include <algorithm>
#include <immintrin.h>
#endif

namespace copybench {

#if defined(__x86_64__)

// The instruction is a hint, encoded as one that processors without it skip: no need to ask.
__attribute__((target("cldemote"))) void demoting_copy(std::byte* destination,
                                                       const std::byte* source,
                                                       std::size_t bytes) noexcept {
  constexpr std::size_t line = 64;
  constexpr std::size_t page = 4096;
  for (std::size_t done = 0; done < bytes; done += page) {
    const std::size_t part = std::min(page, bytes - done);
    std::memcpy(destination + done, source + done, part);
    for (std::size_t at = 0; at < part; at += line) {
      _cldemote(destination + done + at);
    }
  }
}

#else

void demoting_copy(std::byte* destination, const std::byte* source, std::size_t bytes) noexcept {
  std::memcpy(destination, source, bytes);
}

#endif

}  // namespace copybench
