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

namespace {

constexpr std::size_t line_bytes = 64;
constexpr std::size_t page_bytes = 4096;
// A processor's prefetcher stops at the end of a page, and has to see the next one first: it has
// more to do with several of them at once.
constexpr std::size_t pages_at_once = 4;
constexpr std::size_t prefetched = 512;

void stream_line(std::byte* destination, const std::byte* source) noexcept {
  const auto* const from = reinterpret_cast<const __m128i*>(source);
  auto* const to = reinterpret_cast<__m128i*>(destination);
  const __m128i first = _mm_loadu_si128(from);
  const __m128i second = _mm_loadu_si128(from + 1);
  const __m128i third = _mm_loadu_si128(from + 2);
  const __m128i fourth = _mm_loadu_si128(from + 3);
  _mm_stream_si128(to, first);
  _mm_stream_si128(to + 1, second);
  _mm_stream_si128(to + 2, third);
  _mm_stream_si128(to + 3, fourth);
}

void stream_pages(std::byte* destination, const std::byte* source) noexcept {
  for (std::size_t at = 0; at < page_bytes; at += line_bytes) {
    for (std::size_t first = at; first < pages_at_once * page_bytes; first += page_bytes) {
      // What is past the source is not touched by this.
      _mm_prefetch(source + first + prefetched, _MM_HINT_T0);
      stream_line(destination + first, source + first);
    }
  }
}

}  // namespace

void streaming_copy(std::byte* destination, const std::byte* source, std::size_t bytes) noexcept {
  const std::size_t past_line = reinterpret_cast<std::uintptr_t>(destination) % line_bytes;
  std::size_t done = std::min(bytes, (line_bytes - past_line) % line_bytes);
  std::memcpy(destination, source, done);
  for (; bytes - done >= pages_at_once * page_bytes; done += pages_at_once * page_bytes) {
    stream_pages(destination + done, source + done);
  }
  for (; bytes - done >= line_bytes; done += line_bytes) {
    stream_line(destination + done, source + done);
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
