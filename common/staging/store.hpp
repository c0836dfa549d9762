// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace copybench {

/// How a copy within the host writes: with memcpy, through the caches; with demoting_copy; with
/// streaming_copy, past the caches.
enum class Store { cached, demoted, streamed };
inline constexpr std::array<std::string_view, 3> store_names{"cached", "demoted", "streamed"};

void host_copy(Store store, std::byte* destination, const std::byte* source,
               std::size_t bytes) noexcept;

/// Who writes into a ring of which size.
struct RingUse {
  std::size_t threads;
  std::size_t ring_bytes;
};

/// How ParallelStaging writes what begins at `offset` of an array into its ring, which the device
/// reads next. The device is slow to read from a processor's own cache. A small array is all there,
/// or a small ring, so it goes past the caches. That takes more of the memory's bandwidth, which
/// many threads and the link use up; in a large ring only the end of a large array is still there
/// when the device comes for it.
[[nodiscard]] Store store_to_ring(std::size_t array_bytes, std::size_t offset,
                                  const RingUse& use) noexcept;

/// How ParallelStaging writes the array that has arrived in its ring.
[[nodiscard]] Store store_to_array(std::size_t array_bytes) noexcept;

}  // namespace copybench
