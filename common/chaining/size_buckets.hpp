// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "common/host_device.hpp"

// The sizes of which a graph holds a copy each: 4096 elements, 6144, 8192, 12288 and so on. Of any
// larger number of elements the largest bucket that is not above it holds at least two thirds. A
// copy of less than the smallest one is a matter of latency, for which a kernel is as good.

namespace copybench {

/// Elements of the bucket with this number, from 0.
[[nodiscard]] COPYBENCH_HOST_DEVICE constexpr std::size_t bucket_elements(unsigned bucket) {
  constexpr unsigned smallest = 11;  // as a power of two, of half a bucket
  return (std::size_t{2} + bucket % 2) << (bucket / 2 + smallest);
}

/// How many buckets hold at most so many elements.
[[nodiscard]] COPYBENCH_HOST_DEVICE constexpr unsigned buckets_within(std::size_t elements) {
  unsigned count = 0;
  while (bucket_elements(count) <= elements) {
    ++count;
  }
  return count;
}

/// Elements of the largest bucket that is not above `elements`; 0 when each of them is.
[[nodiscard]] COPYBENCH_HOST_DEVICE constexpr std::size_t elements_in_bucket(std::size_t elements) {
  const unsigned within = buckets_within(elements);
  return within == 0 ? 0 : bucket_elements(within - 1);
}

}  // namespace copybench
