// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/prefetch.hpp"

#include <cuda_runtime_api.h>

#include "common/cuda/check.hpp"

namespace copybench {
namespace {

#if CUDART_VERSION >= 13000
void prefetch(const std::byte* memory, std::size_t bytes, cudaMemLocation place,
              StreamView stream) {
  check(cudaMemPrefetchAsync(memory, bytes, place, 0, stream.get()), "cudaMemPrefetchAsync");
}
#else
void prefetch(const std::byte* memory, std::size_t bytes, int place, StreamView stream) {
  check(cudaMemPrefetchAsync(memory, bytes, place, stream.get()), "cudaMemPrefetchAsync");
}
#endif

}  // namespace

void prefetch_to_device(const std::byte* memory, std::size_t bytes, int device, StreamView stream) {
#if CUDART_VERSION >= 13000
  prefetch(memory, bytes, {.type = cudaMemLocationTypeDevice, .id = device}, stream);
#else
  prefetch(memory, bytes, device, stream);
#endif
}

void prefetch_to_host(const std::byte* memory, std::size_t bytes, StreamView stream) {
#if CUDART_VERSION >= 13000
  prefetch(memory, bytes, {.type = cudaMemLocationTypeHost, .id = 0}, stream);
#else
  prefetch(memory, bytes, cudaCpuDeviceId, stream);
#endif
}

}  // namespace copybench
