// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "common/cuda/buffer.hpp"
#include "common/cuda/event.hpp"
#include "common/cuda/stream.hpp"

namespace copybench {

/// Copies between pageable host memory and the device through two pinned chunks of its own: while
/// the copy engine empties one, the calling thread fills the other, or the other way round. No
/// faster than one thread's memcpy, but the driver's own staging is no faster either, and here the
/// chunk size is known.
///
/// Not thread-safe. Destroying it waits for the copies in flight.
class DoubleBufferedStaging {
 public:
  /// Room for several copies in flight at link speed while one chunk is filled at memcpy speed.
  static constexpr std::size_t default_chunk_bytes = std::size_t{4} << 20U;

  /// Throws CudaError, and std::invalid_argument for 0.
  explicit DoubleBufferedStaging(std::size_t chunk_bytes = default_chunk_bytes);
  ~DoubleBufferedStaging();
  DoubleBufferedStaging(const DoubleBufferedStaging&) = delete;
  DoubleBufferedStaging& operator=(const DoubleBufferedStaging&) = delete;
  DoubleBufferedStaging(DoubleBufferedStaging&&) = delete;
  DoubleBufferedStaging& operator=(DoubleBufferedStaging&&) = delete;

  /// Blocks the calling thread until the source has been read in full; the caller may change or
  /// free it then. Work enqueued in `stream` afterwards sees the data. Behind a busy queue it
  /// returns early as long as the bytes fit into the two chunks, and waits for the queue otherwise.
  /// Throws CudaError.
  void to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                 StreamView stream);

  /// Blocks the calling thread until the destination is complete. Runs after what is in `stream`
  /// already. Throws CudaError.
  void to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
               StreamView stream);

 private:
  struct Chunk {
    explicit Chunk(std::size_t bytes) : memory(MemoryKind::pinned, bytes) {}
    Buffer memory;
    Event copied;  // not recorded yet means free: CUDA returns from the wait at once
  };

  Chunk& next_chunk();

  std::array<Chunk, 2> chunks_;
  std::size_t next_ = 0;
};

}  // namespace copybench
