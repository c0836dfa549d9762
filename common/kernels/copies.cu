// SPDX-License-Identifier: Apache-2.0
#include "common/kernels.hpp"
#include "common/kernels/launching.cuh"
#include "common/kernels/loading.hpp"

namespace copybench {
namespace {

// Sixteen bytes at a time where both sides allow it: fewer requests over the link.
__global__ void copy_array(std::byte* destination, const std::byte* source, std::size_t bytes) {
  const auto is_aligned = [](const void* memory) {
    return reinterpret_cast<std::uintptr_t>(memory) % sizeof(uint4) == 0;
  };
  const std::size_t words =
      is_aligned(destination) && is_aligned(source) ? bytes / sizeof(uint4) : 0;
  for (std::size_t i = global_index(); i < words; i += grid_stride()) {
    reinterpret_cast<uint4*>(destination)[i] = reinterpret_cast<const uint4*>(source)[i];
  }
  for (std::size_t i = words * sizeof(uint4) + global_index(); i < bytes; i += grid_stride()) {
    destination[i] = source[i];
  }
}

constexpr std::size_t vector_bytes = sizeof(uint4);

__device__ std::size_t past_vector(const std::byte* address) {
  return reinterpret_cast<std::uintptr_t>(address) % vector_bytes;
}

// The threads of one block.
__device__ void copy_bytes(std::byte* destination, const std::byte* source, std::size_t bytes) {
  for (std::size_t i = threadIdx.x; i < bytes; i += blockDim.x) {
    destination[i] = source[i];
  }
}

// Host memory is far away, so every thread asks for several vectors before it writes the first.
__device__ void copy_vectors(uint4* destination, const uint4* source, std::size_t count) {
  constexpr unsigned in_flight = 4;
  std::size_t i = threadIdx.x;
  for (; i + (in_flight - 1) * blockDim.x < count; i += in_flight * blockDim.x) {
    uint4 vectors[in_flight];
#pragma unroll
    for (unsigned k = 0; k < in_flight; ++k) {
      vectors[k] = source[i + k * blockDim.x];
    }
#pragma unroll
    for (unsigned k = 0; k < in_flight; ++k) {
      destination[i + k * blockDim.x] = vectors[k];
    }
  }
  for (; i < count; i += blockDim.x) {
    destination[i] = source[i];
  }
}

__global__ void copy_arrays(const ArrayCopy* arrays) {
  const auto [destination, source, bytes] = arrays[blockIdx.x];
  if (past_vector(destination) != past_vector(source)) {
    copy_bytes(destination, source, bytes);
    return;
  }
  const std::size_t to_vector = (vector_bytes - past_vector(source)) % vector_bytes;
  const std::size_t head = to_vector < bytes ? to_vector : bytes;
  const std::size_t vectors = (bytes - head) / vector_bytes;
  const std::size_t tail = head + vectors * vector_bytes;
  copy_bytes(destination, source, head);
  copy_vectors(reinterpret_cast<uint4*>(destination + head),
               reinterpret_cast<const uint4*>(source + head), vectors);
  copy_bytes(destination + tail, source + tail, bytes - tail);
}

}  // namespace

void load_copies() {
  load(copy_array);
  load(copy_arrays);
}

void launch_copy(StreamView stream, std::byte* destination, const std::byte* source,
                 std::size_t bytes) {
  copy_array<<<striding_blocks(bytes / sizeof(uint4) + 1), block_size, 0, stream.get()>>>(
      destination, source, bytes);
  check_launch("copy_array launch");
}

void launch_copy_arrays(StreamView stream, const ArrayCopy* arrays, std::size_t count) {
  copy_arrays<<<static_cast<unsigned>(count), block_size, 0, stream.get()>>>(arrays);
  check_launch("copy_arrays launch");
}

}  // namespace copybench
