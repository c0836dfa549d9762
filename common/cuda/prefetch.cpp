// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/prefetch.hpp"

#include <cuda_runtime_api.h>

#include "common/cuda/check.hpp"

namespace copybench {

void prefetch_to_device(const std::byte* memory, std::size_t bytes, int device, StreamView stream) {
#if CUDART_VERSION >= 13000
  cudaMemLocation place{};
  place.type = cudaMemLocationTypeDevice;
  place.id = device;
  check(cudaMemPrefetchAsync(memory, bytes, place, 0, stream.get()), "cudaMemPrefetchAsync");
#else
  check(cudaMemPrefetchAsync(memory, bytes, device, stream.get()), "cudaMemPrefetchAsync");
#endif
}

}  // namespace copybench
