// SPDX-License-Identifier: Apache-2.0
#include "common/staging/streaming_copy.hpp"

#include <cstring>

#if defined(__SSE2__)
#include <algorithm>
#include <cstdint>
#include <emmintrin.h>
#endif

namespace copybench {

#if defined(__SSE2__)

void streaming_copy(std::byte* destination, const std::byte* source, std::size_t bytes) noexcept {
  constexpr std::size_t line = 64;
  const std::size_t past_line = reinterpret_cast<std::uintptr_t>(destination) % line;
  const std::size_t head = std::min(bytes, (line - past_line) % line);
  std::memcpy(destination, source, head);
  std::size_t done = head;
  for (; bytes - done >= line; done += line) {
    const auto* const from = reinterpret_cast<const __m128i*>(source + done);
    auto* const to = reinterpret_cast<__m128i*>(destination + done);
    const __m128i first = _mm_loadu_si128(from);
    const __m128i second = _mm_loadu_si128(from + 1);
    const __m128i third = _mm_loadu_si128(from + 2);
    const __m128i fourth = _mm_loadu_si128(from + 3);
    _mm_stream_si128(to, first);
    _mm_stream_si128(to + 1, second);
    _mm_stream_si128(to + 2, third);
    _mm_stream_si128(to + 3, fourth);
  }
  std::memcpy(destination + done, source + done, bytes - done);
  // Streaming stores are not ordered with a later release of an atomic.
  _mm_sfence();
}

#else

void streaming_copy(std::byte* destination, const std::byte* source, std::size_t bytes) noexcept {
  std::memcpy(destination, source, bytes);
}

#endif

}  // namespace copybench
