// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include <cuda/atomic>

#include "common/chain_kernels.hpp"
#include "common/cuda/check.hpp"
#include "common/kernels.hpp"
#include "common/measurement/weyl.hpp"

namespace copybench {
namespace {

constexpr unsigned block_size = 256;

__device__ std::byte symbol_memory[symbol_bytes];

__device__ std::uint64_t device_time_ns() {
  std::uint64_t time = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

__device__ void hold_until_open(GateFlags* flags, std::uint64_t timeout_ns) {
  volatile GateFlags* gate = flags;
  gate->started = 1;
  __threadfence_system();
  const std::uint64_t begin = device_time_ns();
  while (gate->open == 0) {
    if (device_time_ns() - begin > timeout_ns) {
      gate->timed_out = 1;
      break;
    }
  }
  __threadfence_system();
}

__device__ void hold_for(std::uint64_t duration_ns) {
  const std::uint64_t begin = device_time_ns();
  while (device_time_ns() - begin < duration_ns) {
  }
}

__device__ std::size_t global_index() {
  return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ std::size_t grid_stride() { return static_cast<std::size_t>(gridDim.x) * blockDim.x; }

__global__ void flag_gate(GateFlags* flags, std::uint64_t timeout_ns) {
  hold_until_open(flags, timeout_ns);
}

__global__ void gated_size_producer(GateFlags* flags, std::uint64_t timeout_ns, std::int32_t size,
                                    std::int32_t* destination) {
  hold_until_open(flags, timeout_ns);
  *destination = size;
}

__global__ void publish_size(const std::int32_t* size, std::uint64_t* word, std::uint32_t number) {
  const cuda::atomic_ref<std::uint64_t, cuda::thread_scope_system> published(*word);
  // published_word(), which device code cannot call.
  published.store((std::uint64_t{number} << 32U) | static_cast<std::uint32_t>(*size),
                  cuda::memory_order_release);
}

__global__ void timed_gate(std::uint64_t duration_ns) { hold_for(duration_ns); }

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

__global__ void scale(float* values, std::size_t count, float factor, std::int64_t clock_ticks) {
  const std::size_t i = global_index();
  const long long begin = clock64();
  while (clock64() - begin < clock_ticks) {
  }
  if (i < count) {
    values[i] *= factor;
  }
}

__global__ void grow(double* values, std::size_t count, int k, std::int32_t size,
                     std::int32_t* destination, std::uint64_t sleep_ns) {
  const std::size_t i = global_index();
  if (i < count) {
    values[i] += 1.0 + (2.0 + k) * static_cast<double>(i);
  }
  if (i == 0) {
    *destination = size;
    hold_for(sleep_ns);
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

template <std::size_t number>
__global__ void cold_kernel() {}

using ColdKernel = void (*)();

template <std::size_t... numbers>
constexpr std::array<ColdKernel, sizeof...(numbers)> list_cold_kernels(
    std::index_sequence<numbers...> /*unused*/) {
  return {cold_kernel<numbers>...};
}

unsigned blocks_for(std::size_t threads) {
  return static_cast<unsigned>((threads + block_size - 1) / block_size);
}

// Enough blocks to fill any present device; the kernels stride over the rest.
unsigned striding_blocks(std::size_t threads) {
  constexpr std::size_t most = 4096;
  return static_cast<unsigned>(
      std::clamp<std::size_t>((threads + block_size - 1) / block_size, 1, most));
}

template <typename Kernel>
void load(Kernel kernel) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
}

void check_launch(const char* kernel) { check(cudaGetLastError(), kernel); }

}  // namespace

const void* symbol() { return symbol_memory; }

void load_kernels() {
  load(flag_gate);
  load(gated_size_producer);
  load(publish_size);
  load(timed_gate);
  load(fill_pattern);
  load(compare_pattern);
  load(copy_array);
  load(scale);
  load(grow);
  load(copy_arrays);
  load_chain_kernels();
}

void launch_cold_kernel(StreamView stream, std::size_t number) {
  static constexpr auto kernels = list_cold_kernels(std::make_index_sequence<cold_kernels>());
  kernels.at(number)<<<1, 1, 0, stream.get()>>>();
  check_launch("cold_kernel launch");
}

void launch_flag_gate(StreamView stream, GateFlags* flags, std::uint64_t timeout_ns) {
  flag_gate<<<1, 1, 0, stream.get()>>>(flags, timeout_ns);
  check_launch("flag_gate launch");
}

void launch_gated_size_producer(StreamView stream, GateFlags* flags, std::uint64_t timeout_ns,
                                std::int32_t size, std::int32_t* destination) {
  gated_size_producer<<<1, 1, 0, stream.get()>>>(flags, timeout_ns, size, destination);
  check_launch("gated_size_producer launch");
}

void launch_publish_size(StreamView stream, const std::int32_t* size, std::uint64_t* word,
                         std::uint32_t number) {
  publish_size<<<1, 1, 0, stream.get()>>>(size, word, number);
  check_launch("publish_size launch");
}

void launch_timed_gate(StreamView stream, std::uint64_t duration_ns) {
  timed_gate<<<1, 1, 0, stream.get()>>>(duration_ns);
  check_launch("timed_gate launch");
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

void launch_copy(StreamView stream, std::byte* destination, const std::byte* source,
                 std::size_t bytes) {
  copy_array<<<striding_blocks(bytes / sizeof(uint4) + 1), block_size, 0, stream.get()>>>(
      destination, source, bytes);
  check_launch("copy_array launch");
}

void launch_scale(StreamView stream, float* values, std::size_t count, float factor,
                  std::int64_t clock_ticks) {
  scale<<<blocks_for(count), block_size, 0, stream.get()>>>(values, count, factor, clock_ticks);
  check_launch("scale launch");
}

void launch_grow(StreamView stream, double* values, std::size_t count, int k, std::int32_t size,
                 std::int32_t* destination, std::uint64_t sleep_ns) {
  grow<<<blocks_for(count), block_size, 0, stream.get()>>>(values, count, k, size, destination,
                                                           sleep_ns);
  check_launch("grow launch");
}

void launch_copy_arrays(StreamView stream, const ArrayCopy* arrays, std::size_t count) {
  copy_arrays<<<static_cast<unsigned>(count), block_size, 0, stream.get()>>>(arrays);
  check_launch("copy_arrays launch");
}

}  // namespace copybench
