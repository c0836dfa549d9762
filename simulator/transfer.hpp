// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

#include "simulator/copy.hpp"
#include "simulator/fault_plan.hpp"
#include "simulator/rows.hpp"

namespace copybench::simulator {

/// cudaMemcpyAsync: enqueues the copy, and blocks the caller for what its memory demands.
///   pageable to the device   captured into staging memory, piece by piece, while there is room
///   pageable to the host     waits for the copy, and with it for the queue
///   managed, host to host    the same
///   the rest                 only enqueues
void copy_async(const Copy& copy, cudaStream_t stream, const CallFaults& faults);

/// cudaMemcpy, in the legacy stream: like copy_async, but pageable to the device waits for the
/// queue first, and pinned memory waits for the copy as well (contract rows 7 to 11).
void copy_and_wait(const Copy& copy, const CallFaults& faults);

/// Moves bytes between views, as long as the model says: the body of an operation. It is a part of
/// a copy of `total` bytes, whose bytes from `offset` on are those that begin at `source`.
struct Transfer {
  Rows destination{};
  Rows source{};
  std::size_t bytes = 0;
  cudaMemcpyKind kind = cudaMemcpyDefault;
  std::size_t offset = 0;
  std::size_t total = bytes;
  CallFaults faults{};
  int device = 0;
  double bytes_per_s = 0;

  void operator()() const;
};

/// The whole of a copy, whatever its memory.
[[nodiscard]] Transfer transfer_of(const Copy& copy, int device, const CallFaults& faults);

}  // namespace copybench::simulator
