// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include <cuda_runtime_api.h>

#include "common/cuda/stream.hpp"

namespace copybench {

/// A pool of memory of the current device that keeps what is freed, for the next allocation; the
/// device's own pool gives it back to the system at each synchronise. Throws CudaError.
class MemoryPool {
 public:
  MemoryPool();

  /// cudaMallocFromPoolAsync. To be freed by cudaFreeAsync, before the pool goes.
  [[nodiscard]] void* allocate(std::size_t bytes, StreamView stream);

 private:
  struct Destroy {
    void operator()(cudaMemPool_t pool) const noexcept;
  };
  std::unique_ptr<std::remove_pointer_t<cudaMemPool_t>, Destroy> pool_;
};

}  // namespace copybench
