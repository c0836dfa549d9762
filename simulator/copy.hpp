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
  /// The bytes lie in rows of so many, which begin so many bytes apart at either end.
  std::size_t width;
  std::size_t destination_pitch;
  std::size_t source_pitch;
  cudaMemcpyKind kind;
  /// Pageable memory at either end, or managed memory.
  bool pageable;
  bool managed;
};

/// Looks at both ends of a copy of at least one byte. Throws Refusal when the pointers, their
/// extent and `kind` do not go together.
[[nodiscard]] Copy classify(void* destination, const void* source, std::size_t bytes,
                            cudaMemcpyKind kind);

/// The same for `height` rows of `width` bytes.
[[nodiscard]] Copy classify_rows(void* destination, std::size_t destination_pitch,
                                 const void* source, std::size_t source_pitch, std::size_t width,
                                 std::size_t height, cudaMemcpyKind kind);

}  // namespace copybench::simulator
