// SPDX-License-Identifier: Apache-2.0
#include "common/staging/store.hpp"

#include <cstring>

#include "common/staging/demoting_copy.hpp"
#include "common/staging/streaming_copy.hpp"

namespace copybench {
namespace {

// Measured with staged_parallel. For less it takes longer until the bytes are in memory than until
// they are on the device.
constexpr std::size_t least_streamed_to_ring = std::size_t{32} << 10U;
constexpr std::size_t most_streamed_to_ring = std::size_t{32} << 20U;
// So few leave the memory bandwidth to spare, whatever the size.
constexpr std::size_t few_threads = 4;
// Smaller ones stay in the processors' own caches.
constexpr std::size_t least_evicted_ring = std::size_t{16} << 20U;
// More than those hold of it.
constexpr std::size_t demoted_end = std::size_t{16} << 20U;
// No smaller array would leave the caches anyway before its owner reads it.
constexpr std::size_t least_streamed_to_array = std::size_t{4} << 20U;

}  // namespace

void host_copy(Store store, std::byte* destination, const std::byte* source,
               std::size_t bytes) noexcept {
  switch (store) {
    case Store::cached:
      std::memcpy(destination, source, bytes);
      break;
    case Store::demoted:
      demoting_copy(destination, source, bytes);
      break;
    case Store::streamed:
      streaming_copy(destination, source, bytes);
      break;
  }
}

Store store_to_ring(std::size_t array_bytes, std::size_t offset, const RingUse& use) noexcept {
  if (array_bytes < least_streamed_to_ring) {
    return Store::cached;
  }
  if (array_bytes <= most_streamed_to_ring || use.threads <= few_threads ||
      use.ring_bytes < least_evicted_ring) {
    return Store::streamed;
  }
  return array_bytes - offset <= demoted_end ? Store::demoted : Store::cached;
}

Store store_to_array(std::size_t array_bytes) noexcept {
  return array_bytes < least_streamed_to_array ? Store::cached : Store::streamed;
}

}  // namespace copybench
