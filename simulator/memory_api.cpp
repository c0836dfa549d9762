// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime_api.h>

#include "common/measurement/clock.hpp"
#include "simulator/call.hpp"
#include "simulator/devices.hpp"
#include "simulator/memory.hpp"
#include "simulator/model.hpp"

using namespace copybench::simulator;

namespace {

// What pinning takes, and unpinning as well.
void spend_on_pages(copybench::TimePoint begin, std::size_t bytes, const CallFaults& faults) {
  constexpr std::size_t page = 4096;
  const std::size_t pages = (bytes + page - 1) / page;
  const double each = model().pin_us_per_page * faults.slowness;
  sleep_until(begin + microseconds(each * static_cast<double>(pages)));
}

void allocate_pinned(void** pointer, std::size_t bytes, unsigned flags, const CallFaults& faults) {
  const copybench::TimePoint begin = copybench::now();
  allocate(pointer, {.kind = BlockKind::pinned, .bytes = bytes, .device = 0, .flags = flags});
  spend_on_pages(begin, bytes, faults);
}

}  // namespace

cudaError_t cudaMalloc(void** devPtr, std::size_t size) {
  return run_call("cudaMalloc", [&](const CallFaults&) {
    allocate(devPtr, {.kind = BlockKind::device, .bytes = size, .device = 0});
  });
}

cudaError_t cudaMallocManaged(void** devPtr, std::size_t size, unsigned flags) {
  return run_call("cudaMallocManaged", [&](const CallFaults&) {
    require(flags == cudaMemAttachGlobal || flags == cudaMemAttachHost);
    allocate(devPtr, {.kind = BlockKind::managed, .bytes = size, .device = 0});
  });
}

// The documentation says that it may wait for the device, and it does (contract row 32).
cudaError_t cudaFree(void* devPtr) {
  return run_call("cudaFree", [&](const CallFaults&) {
    if (devPtr == nullptr) {
      return;
    }
    const auto block = find_block(devPtr);
    require(block && block->base == devPtr &&
            (block->kind == BlockKind::device || block->kind == BlockKind::managed));
    if (block->kind == BlockKind::managed) {
      wait_for_all_devices();
    } else if (!block->stream_ordered) {
      wait_for(device(block->device).pending());
    }
    release(take_block(devPtr, block->kind));
  });
}

cudaError_t cudaMallocAsync(void** devPtr, std::size_t size, cudaStream_t stream) {
  return run_enqueueing_call("cudaMallocAsync", [&](const CallFaults&) {
    (void)find_stream(stream);
    allocate(devPtr,
             {.kind = BlockKind::device, .bytes = size, .device = 0, .stream_ordered = true});
  });
}

cudaError_t cudaFreeAsync(void* devPtr, cudaStream_t stream) {
  return run_enqueueing_call("cudaFreeAsync", [&](const CallFaults&) {
    const auto block = find_block(devPtr);
    require(block && block->base == devPtr && block->kind == BlockKind::device);
    (void)find_stream(stream);
    (void)submit(stream, {.run = [taken = take_block(devPtr, BlockKind::device)] {
                   release(taken);
                   return cudaSuccess;
                 }});
  });
}

cudaError_t cudaHostAlloc(void** pHost, std::size_t size, unsigned flags) {
  return run_call("cudaHostAlloc", [&](const CallFaults& faults) {
    constexpr unsigned known =
        cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    require((flags & ~known) == 0);
    allocate_pinned(pHost, size, flags, faults);
  });
}

cudaError_t cudaMallocHost(void** ptr, std::size_t size) {
  return run_call("cudaMallocHost", [&](const CallFaults& faults) {
    allocate_pinned(ptr, size, cudaHostAllocDefault, faults);
  });
}

cudaError_t cudaFreeHost(void* ptr) {
  return run_call("cudaFreeHost", [&](const CallFaults& faults) {
    if (ptr != nullptr) {
      const auto block = find_block(ptr);
      require(block && block->base == ptr && block->kind == BlockKind::pinned);
      wait_for_all_devices();
      const copybench::TimePoint begin = copybench::now();
      release(take_block(ptr, BlockKind::pinned));
      spend_on_pages(begin, block->bytes, faults);
    }
  });
}

cudaError_t cudaHostRegister(void* ptr, std::size_t size, unsigned flags) {
  return run_call("cudaHostRegister", [&](const CallFaults& faults) {
    require(ptr != nullptr && size > 0);
    const copybench::TimePoint begin = copybench::now();
    register_block(ptr, size, current_ordinal(), flags);
    spend_on_pages(begin, size, faults);
  });
}

cudaError_t cudaHostUnregister(void* ptr) {
  return run_call("cudaHostUnregister", [&](const CallFaults& faults) {
    require(ptr != nullptr);
    wait_for_all_devices();
    const copybench::TimePoint begin = copybench::now();
    const auto block = find_block(ptr);
    unregister_block(ptr);
    spend_on_pages(begin, block ? block->bytes : 0, faults);
  });
}

cudaError_t cudaHostGetDevicePointer(void** pDevice, void* pHost, unsigned flags) {
  return run_call("cudaHostGetDevicePointer", [&](const CallFaults&) {
    const auto block = find_block(pHost);
    require(flags == 0 && block && block->kind != BlockKind::device);
    *pDevice = pHost;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* ptr) {
  return run_call("cudaPointerGetAttributes", [&](const CallFaults&) {
    require(attributes != nullptr && ptr != nullptr);
    const auto block = find_block(ptr);
    *attributes = {};
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->device = -2;  // what CUDA says of memory that it does not know
    attributes->hostPointer = const_cast<void*>(ptr);
    if (!block) {
      return;
    }
    const bool on_device = block->kind == BlockKind::device;
    attributes->type = on_device                           ? cudaMemoryTypeDevice
                       : block->kind == BlockKind::managed ? cudaMemoryTypeManaged
                                                           : cudaMemoryTypeHost;
    attributes->device = block->device;
    attributes->devicePointer = const_cast<void*>(ptr);
    if (on_device) {
      attributes->hostPointer = nullptr;
    }
  });
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return run_call("cudaMemGetInfo", [&](const CallFaults&) {
    require(free != nullptr && total != nullptr);
    *total = static_cast<std::size_t>(model().device_memory_bytes);
    *free = *total - used_device_bytes(current_ordinal());
  });
}
