// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <vector>

#include <cuda_runtime_api.h>

#include "simulator/activity_log.hpp"
#include "simulator/call.hpp"
#include "simulator/devices.hpp"
#include "simulator/memory.hpp"
#include "simulator/model.hpp"
#include "simulator/transfer.hpp"

using namespace copybench::simulator;

cudaError_t cudaMemcpyAsync(void* dst, const void* src, std::size_t count, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return run_enqueueing_call("cudaMemcpyAsync", [&](const CallFaults& faults) {
    (void)find_stream(stream);
    if (count != 0) {
      copy_async(classify(dst, src, count, kind), stream, faults);
    }
  });
}

cudaError_t cudaMemcpy(void* dst, const void* src, std::size_t count, cudaMemcpyKind kind) {
  return run_enqueueing_call("cudaMemcpy", [&](const CallFaults& faults) {
    if (count != 0) {
      copy_and_wait(classify(dst, src, count, kind), faults);
    }
  });
}

cudaError_t cudaMemcpyPeerAsync(void* dst, int dst_device, const void* src, int src_device,
                                std::size_t count, cudaStream_t stream) {
  return run_enqueueing_call("cudaMemcpyPeerAsync", [&](const CallFaults& faults) {
    (void)find_stream(stream);
    (void)device(dst_device);
    (void)device(src_device);
    if (count != 0) {
      copy_async(classify(dst, src, count, cudaMemcpyDeviceToDevice), stream, faults);
    }
  });
}

namespace {

void copy_rows(void* dst, std::size_t dst_pitch, const void* src, std::size_t src_pitch,
               std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream,
               const CallFaults& faults) {
  (void)find_stream(stream);
  require(width <= dst_pitch && width <= src_pitch, cudaErrorInvalidPitchValue);
  if (width > 0 && height > 0) {
    copy_async(classify_rows(dst, dst_pitch, src, src_pitch, width, height, kind), stream, faults);
  }
}

std::size_t slice_offset(const cudaPitchedPtr& memory, const cudaPos& position, std::size_t slice) {
  return ((position.z + slice) * memory.ysize + position.y) * memory.pitch + position.x;
}

// As one copy of rows where the slices follow each other without a gap, else as one for each slice.
void copy_slices(const cudaMemcpy3DParms& asked, cudaStream_t stream, CallFaults faults) {
  require(asked.srcArray == nullptr && asked.dstArray == nullptr);
  auto [width, height, depth] = asked.extent;
  if (asked.srcPtr.ysize == height && asked.dstPtr.ysize == height) {
    height *= depth;
    depth = std::min<std::size_t>(depth, 1);
  }
  auto* const to = static_cast<std::byte*>(asked.dstPtr.ptr);
  const auto* const from = static_cast<const std::byte*>(asked.srcPtr.ptr);
  for (std::size_t slice = 0; slice < depth; ++slice) {
    copy_rows(to + slice_offset(asked.dstPtr, asked.dstPos, slice), asked.dstPtr.pitch,
              from + slice_offset(asked.srcPtr, asked.srcPos, slice), asked.srcPtr.pitch, width,
              height, asked.kind, stream, faults);
    // One wrong byte, not one in each slice.
    faults.corrupt_byte.reset();
  }
}

// Bytes of an operation, set to one value.
Ticket enqueue_set(void* destination, int value, std::size_t count, cudaStream_t stream,
                   const CallFaults& faults) {
  (void)find_range(destination, count);
  return submit(stream, {.run = [view = host_view(destination), value, count, faults] {
                  const RecordedWork recorded(copybench::ActivityKind::fill, "fill", count);
                  const copybench::TimePoint begin = copybench::now();
                  std::memset(view, value, count);
                  if (faults.corrupt_byte) {
                    view[corrupted_index(*faults.corrupt_byte, count)] ^= std::byte{0xff};
                  }
                  const auto takes = time_for(count, 4 * model().link_bytes_per_s);
                  sleep_until(begin + scaled(takes, faults.slowness));
                  return cudaSuccess;
                }});
}

}  // namespace

cudaError_t cudaMemcpy2DAsync(void* dst, std::size_t dpitch, const void* src, std::size_t spitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return run_enqueueing_call("cudaMemcpy2DAsync", [&](const CallFaults& faults) {
    copy_rows(dst, dpitch, src, spitch, width, height, kind, stream, faults);
  });
}

cudaError_t cudaMemcpy2D(void* dst, std::size_t dpitch, const void* src, std::size_t spitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return run_enqueueing_call("cudaMemcpy2D", [&](const CallFaults& faults) {
    copy_rows(dst, dpitch, src, spitch, width, height, kind, cudaStreamLegacy, faults);
    if (kind != cudaMemcpyDeviceToDevice) {
      wait_for(pending(cudaStreamLegacy));
    }
  });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  return run_enqueueing_call("cudaMemcpy3DAsync", [&](const CallFaults& faults) {
    require(p != nullptr);
    copy_slices(*p, stream, faults);
  });
}

cudaError_t cudaMemsetAsync(void* dst, int value, std::size_t count, cudaStream_t stream) {
  return run_enqueueing_call("cudaMemsetAsync", [&](const CallFaults& faults) {
    require(find_block(dst).has_value() || count == 0);
    if (count != 0) {
      (void)enqueue_set(dst, value, count, stream, faults);
    }
  });
}

// Contract row 16 names pinned host memory alone; it waits for managed memory as well.
cudaError_t cudaMemset(void* dst, int value, std::size_t count) {
  return run_enqueueing_call("cudaMemset", [&](const CallFaults& faults) {
    const auto block = find_block(dst);
    require(block.has_value() || count == 0);
    if (count == 0) {
      return;
    }
    const Ticket done = enqueue_set(dst, value, count, cudaStreamLegacy, faults);
    if (block->kind != BlockKind::device) {
      wait_for(done);
    }
  });
}
