// SPDX-License-Identifier: Apache-2.0
// Pools have no memory of their own here: they are names for what every allocation does.
#include <mutex>
#include <set>

#include <cuda_runtime_api.h>

#include "simulator/call.hpp"
#include "simulator/devices.hpp"
#include "simulator/memory.hpp"

// CUDA declares the type and keeps its content to itself.
struct CUmemPoolHandle_st {};

using namespace copybench::simulator;

namespace {

struct Pools {
  std::mutex mutex;
  std::set<cudaMemPool_t> live;
};
Pools& pools() {
  static Pools pools;
  return pools;
}

void require_pool(cudaMemPool_t pool) {
  const std::scoped_lock lock(pools().mutex);
  require(pools().live.contains(pool));
}

}  // namespace

cudaError_t cudaMemPoolCreate(cudaMemPool_t* memPool, const cudaMemPoolProps* poolProps) {
  return run_call("cudaMemPoolCreate", [&](const CallFaults&) {
    require(memPool != nullptr && poolProps != nullptr);
    require(poolProps->location.type == cudaMemLocationTypeDevice && poolProps->location.id >= 0 &&
            poolProps->location.id < device_count());
    const std::scoped_lock lock(pools().mutex);
    *memPool = new CUmemPoolHandle_st;  // NOLINT(cppcoreguidelines-owning-memory)
    pools().live.insert(*memPool);
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t memPool) {
  return run_call("cudaMemPoolDestroy", [&](const CallFaults&) {
    require_pool(memPool);
    const std::scoped_lock lock(pools().mutex);
    pools().live.erase(memPool);
    delete memPool;  // NOLINT(cppcoreguidelines-owning-memory)
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void* value) {
  return run_call("cudaMemPoolSetAttribute", [&](const CallFaults&) {
    require_pool(memPool);
    require(attr == cudaMemPoolAttrReleaseThreshold && value != nullptr);
  });
}

cudaError_t cudaMallocFromPoolAsync(void** ptr, std::size_t size, cudaMemPool_t memPool,
                                    cudaStream_t stream) {
  return run_enqueueing_call("cudaMallocFromPoolAsync", [&](const CallFaults&) {
    require_pool(memPool);
    (void)find_stream(stream);
    allocate(ptr, {.kind = BlockKind::device, .bytes = size, .device = 0, .stream_ordered = true});
  });
}
