// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

namespace copybench::simulator {

/// A copy as it was asked for, its direction found out.
struct Copy {
  std::byte* destination;
  const std::byte* source;
  std::size_t bytes;
  cudaMemcpyKind kind;
  /// Pageable memory at either end, or managed memory.
  bool pageable;
  bool managed;
};

/// Looks at both ends of a copy of at least one byte. Throws Refusal when the pointers, their
/// extent and `kind` do not go together.
[[nodiscard]] Copy classify(void* destination, const void* source, std::size_t bytes,
                            cudaMemcpyKind kind);

}  // namespace copybench::simulator
