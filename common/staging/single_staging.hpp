// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "common/cuda/buffer.hpp"
#include "common/cuda/stream.hpp"

namespace copybench {

/// Copies through one pinned chunk: the thread and the copy engine take turns, so each waits while
/// the other works. What double buffering is measured against. Not thread-safe.
class SingleStaging {
 public:
  static constexpr std::size_t default_chunk_bytes = std::size_t{4} << 20U;

  /// Throws CudaError, and std::invalid_argument for 0.
  explicit SingleStaging(std::size_t chunk_bytes = default_chunk_bytes);

  /// Blocks the calling thread until the copy is complete. Throws CudaError.
  void to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                 StreamView stream);
  /// The same in the other direction.
  void to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
               StreamView stream);

 private:
  Buffer chunk_;
};

}  // namespace copybench
