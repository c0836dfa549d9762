// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/memory_pool.hpp"

#include <cstdint>
#include <limits>

#include "common/cuda/check.hpp"
#include "common/cuda/device.hpp"

namespace copybench {

MemoryPool::MemoryPool() {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = current_device();
  cudaMemPool_t pool = nullptr;
  check(cudaMemPoolCreate(&pool, &properties), "cudaMemPoolCreate");
  pool_.reset(pool);
  std::uint64_t keep = std::numeric_limits<std::uint64_t>::max();
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep),
        "cudaMemPoolSetAttribute");
}

void* MemoryPool::allocate(std::size_t bytes, StreamView stream) {
  void* memory = nullptr;
  check(cudaMallocFromPoolAsync(&memory, bytes, pool_.get(), stream.get()),
        "cudaMallocFromPoolAsync");
  return memory;
}

void MemoryPool::Destroy::operator()(cudaMemPool_t pool) const noexcept {
  (void)cudaMemPoolDestroy(pool);
}

}  // namespace copybench
