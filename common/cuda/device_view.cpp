// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/device_view.hpp"

#include <stdexcept>

#include <cuda_runtime_api.h>

#include "common/cuda/check.hpp"

namespace copybench {

void* device_view(void* host_memory) {
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, host_memory), "cudaPointerGetAttributes");
  if (attributes.devicePointer == nullptr) {
    throw std::invalid_argument("the device cannot reach host memory that is not pinned");
  }
  return attributes.devicePointer;
}

}  // namespace copybench
