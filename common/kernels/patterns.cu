// SPDX-License-Identifier: Apache-2.0
#include "common/kernels.hpp"
#include "common/kernels/launching.cuh"
#include "common/kernels/loading.hpp"
#include "common/measurement/weyl.hpp"

namespace copybench {
namespace {

__global__ void fill_pattern(std::byte* destination, std::size_t bytes, std::uint64_t seed) {
  const bool is_aligned =
      reinterpret_cast<std::uintptr_t>(destination) % sizeof(std::uint64_t) == 0;
  const std::size_t words = is_aligned ? bytes / sizeof(std::uint64_t) : 0;
  auto* const out = reinterpret_cast<std::uint64_t*>(destination);
  for (std::size_t i = global_index(); i < words; i += grid_stride()) {
    out[i] = weyl_word(seed, i);
  }
  for (std::size_t i = words * sizeof(std::uint64_t) + global_index(); i < bytes;
       i += grid_stride()) {
    destination[i] = weyl_byte(seed, i);
  }
}

// The result is in host memory, which an atomic operation reaches over the link: one for each
// block, not one for each wrong byte.
__global__ void compare_pattern(const std::byte* data, std::size_t bytes, std::uint64_t seed,
                                Mismatch* result) {
  using Atomic = unsigned long long;
  __shared__ Atomic count;
  __shared__ Atomic first;
  if (threadIdx.x == 0) {
    count = 0;
    first = ~Atomic{0};
  }
  __syncthreads();
  for (std::size_t i = global_index(); i < bytes; i += grid_stride()) {
    if (data[i] != weyl_byte(seed, i)) {
      atomicAdd(&count, Atomic{1});
      atomicMin(&first, static_cast<Atomic>(i));
    }
  }
  __syncthreads();
  if (threadIdx.x == 0 && count != 0) {
    atomicAdd(reinterpret_cast<Atomic*>(&result->count), count);
    atomicMin(reinterpret_cast<Atomic*>(&result->first), first);
  }
}

}  // namespace

void load_patterns() {
  load(fill_pattern);
  load(compare_pattern);
}

void launch_fill_pattern(StreamView stream, std::byte* destination, std::size_t bytes,
                         std::uint64_t seed) {
  fill_pattern<<<striding_blocks(bytes / sizeof(std::uint64_t) + 1), block_size, 0, stream.get()>>>(
      destination, bytes, seed);
  check_launch("fill_pattern launch");
}

void launch_compare_pattern(StreamView stream, const std::byte* data, std::size_t bytes,
                            std::uint64_t seed, Mismatch* result) {
  compare_pattern<<<striding_blocks(bytes), block_size, 0, stream.get()>>>(data, bytes, seed,
                                                                           result);
  check_launch("compare_pattern launch");
}

}  // namespace copybench
