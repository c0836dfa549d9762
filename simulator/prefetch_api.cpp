// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime_api.h>

#include "common/measurement/clock.hpp"
#include "simulator/activity_log.hpp"
#include "simulator/call.hpp"
#include "simulator/devices.hpp"
#include "simulator/memory.hpp"
#include "simulator/model.hpp"

using namespace copybench::simulator;

namespace {

// Managed memory has no place of its own here: all that a prefetch takes is its time.
cudaError_t prefetch(const void* memory, std::size_t count, bool place_is_known,
                     cudaStream_t stream) {
  return run_enqueueing_call("cudaMemPrefetchAsync", [&](const CallFaults& faults) {
    require(count > 0);
    require(place_is_known, cudaErrorInvalidDevice);
    const auto block = find_range(memory, count);
    require(block && block->kind == BlockKind::managed);
    (void)submit(stream, {.run = [count, slowness = faults.slowness] {
                   const auto takes = microseconds(model().link_latency_us) +
                                      time_for(count, model().link_bytes_per_s);
                   const RecordedWork recorded(copybench::ActivityKind::copy, "prefetch", count);
                   sleep_until(copybench::now() + scaled(takes, slowness));
                   return cudaSuccess;
                 }});
  });
}

bool is_device(int ordinal) { return ordinal >= 0 && ordinal < device_count(); }

}  // namespace

#if CUDART_VERSION >= 13000
cudaError_t cudaMemPrefetchAsync(const void* devPtr, std::size_t count, cudaMemLocation location,
                                 unsigned flags, cudaStream_t stream) {
  const bool is_known = location.type == cudaMemLocationTypeHost ||
                        (location.type == cudaMemLocationTypeDevice && is_device(location.id));
  return prefetch(devPtr, count, is_known && flags == 0, stream);
}
#else
cudaError_t cudaMemPrefetchAsync(const void* devPtr, std::size_t count, int dstDevice,
                                 cudaStream_t stream) {
  return prefetch(devPtr, count, dstDevice == cudaCpuDeviceId || is_device(dstDevice), stream);
}
#endif
