// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the files of kernels share: how threads find their work, and how kernels are launched.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "common/cuda/check.hpp"

namespace copybench {

inline constexpr unsigned block_size = 256;

inline __device__ std::uint64_t device_time_ns() {
  std::uint64_t time = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

inline __device__ void hold_for(std::uint64_t duration_ns) {
  const std::uint64_t begin = device_time_ns();
  while (device_time_ns() - begin < duration_ns) {
  }
}

inline __device__ std::size_t global_index() {
  return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

inline __device__ std::size_t grid_stride() {
  return static_cast<std::size_t>(gridDim.x) * blockDim.x;
}

inline unsigned blocks_for(std::size_t threads) {
  return static_cast<unsigned>((threads + block_size - 1) / block_size);
}

// Enough blocks to fill any present device; the kernels stride over the rest.
inline unsigned striding_blocks(std::size_t threads) {
  constexpr std::size_t most = 4096;
  return static_cast<unsigned>(
      std::clamp<std::size_t>((threads + block_size - 1) / block_size, 1, most));
}

template <typename Kernel>
void load(Kernel kernel) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
}

inline void check_launch(const char* kernel) { check(cudaGetLastError(), kernel); }

}  // namespace copybench
