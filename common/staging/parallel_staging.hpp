// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

#include "common/cuda/stream.hpp"
#include "common/staging/parallel_staging_settings.hpp"
#include "common/staging/ring_fetcher.hpp"
#include "common/staging/ring_sender.hpp"
#include "common/staging/thread_crew.hpp"

namespace copybench {

/// Moves arrays between ordinary memory and the device at the speed of the link: what one thread's
/// memcpy is too slow for, several do together, through a ring of pinned chunks.
///
///     ParallelStaging staging({.threads = 8});
///     staging.to_device(device_pointer, array.data(), array.size(), stream);
///
/// The calling thread alone calls CUDA, so that no two threads ever wait for the driver's locks,
/// and copies pieces itself when it has nothing to enqueue. Small arrays it moves alone.
///
/// Belongs to the device that is current when it is made, as must be those of its callers' streams.
/// Holds chunks * chunk_bytes of pinned memory; its threads sleep in between. A transfer allocates
/// nothing. Not thread-safe. Destroying it waits for the copies in flight.
class ParallelStaging {
 public:
  /// Throws CudaError, std::system_error, and std::invalid_argument for settings that make no
  /// sense.
  explicit ParallelStaging(const ParallelStagingSettings& settings = {});
  ~ParallelStaging();
  ParallelStaging(const ParallelStaging&) = delete;
  ParallelStaging& operator=(const ParallelStaging&) = delete;
  ParallelStaging(ParallelStaging&&) = delete;
  ParallelStaging& operator=(ParallelStaging&&) = delete;

  /// Blocks the calling thread until the source has been read in full; the caller may change or
  /// free it then. Runs after what is in `stream` already, and what is enqueued there afterwards
  /// sees the data. Behind a busy queue it returns early as long as the bytes fit into what earlier
  /// calls have left of the ring: its bytes, less those at its end that a chunk does not fit into,
  /// and 64 chunks or what an array of its size needs.
  /// Throws CudaError; what the destination holds is undefined then.
  void to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                 StreamView stream);

  /// Blocks the calling thread until the destination is complete. Runs after what is in `stream`
  /// already. Throws CudaError; what the destination holds is undefined then.
  void to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
               StreamView stream);

 private:
  // What the calling thread does, and those that help it. Made once, as making them for each
  // transfer might allocate.
  struct Roles {
    std::function<void()> lead;
    std::function<void()> help;
  };

  ParallelStaging(const ParallelStagingSettings& settings, const ChunkPlan& plan);
  void move(const StagedArray& array, RingTransfer& way, const Roles& roles);
  void settle() noexcept;

  ChunkRing ring_;
  PieceQueue pieces_;
  RingSender sender_;
  RingFetcher fetcher_;
  Roles send_;
  Roles fetch_;
  // Last: its threads use the rest.
  ThreadCrew crew_;
};

}  // namespace copybench
