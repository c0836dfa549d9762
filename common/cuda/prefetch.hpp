// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "common/cuda/stream.hpp"

namespace copybench {

/// Enqueues the move of managed memory to a device: cudaMemPrefetchAsync, whose arguments differ
/// between toolkits. Throws CudaError.
void prefetch_to_device(const std::byte* memory, std::size_t bytes, int device, StreamView stream);

/// The same to host memory.
void prefetch_to_host(const std::byte* memory, std::size_t bytes, StreamView stream);

}  // namespace copybench
