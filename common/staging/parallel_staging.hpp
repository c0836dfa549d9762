// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "common/cuda/stream.hpp"
#include "common/staging/chunk_plan.hpp"
#include "common/staging/chunk_ring.hpp"
#include "common/staging/piece_queue.hpp"
#include "common/staging/thread_crew.hpp"

namespace copybench {

/// What ParallelStaging may use. The family staged_parallel measures these and others.
struct ParallelStagingSettings {
  /// The calling thread is one of them.
  std::size_t threads = 8;
  /// At most so many bytes a chunk: what one call of cudaMemcpyAsync copies.
  std::size_t chunk_bytes = std::size_t{8} << 20U;
  /// So many of the largest chunks the ring holds: some are filled while others are on the link.
  std::size_t chunks = 4;
  /// What one thread fills or empties of a chunk at a time.
  std::size_t piece_bytes = std::size_t{256} << 10U;
  /// Where the helping threads may run, such as the processors near the device. Empty: where the
  /// calling thread may when this is made. Those that are not there are passed over.
  std::vector<int> cpus{};

  friend bool operator==(const ParallelStagingSettings&, const ParallelStagingSettings&) = default;
};

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
  /// Throws CudaError, std::system_error, and std::invalid_argument for a setting that is 0
  /// or for a ring that no memory could hold.
  explicit ParallelStaging(const ParallelStagingSettings& settings = {});
  ~ParallelStaging();
  ParallelStaging(const ParallelStaging&) = delete;
  ParallelStaging& operator=(const ParallelStaging&) = delete;
  ParallelStaging(ParallelStaging&&) = delete;
  ParallelStaging& operator=(ParallelStaging&&) = delete;

  /// Blocks the calling thread until the source has been read in full; the caller may change or
  /// free it then. Runs after what is in `stream` already, and what is enqueued there afterwards
  /// sees the data. Behind a busy queue it returns early as long as the bytes fit into the ring.
  /// Throws CudaError; what the destination holds is undefined then.
  void to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                 StreamView stream);

  /// Blocks the calling thread until the destination is complete. Runs after what is in `stream`
  /// already. Throws CudaError; what the destination holds is undefined then.
  void to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
               StreamView stream);

 private:
  struct Transfer {
    std::byte* destination;
    const std::byte* source;
    std::size_t bytes;
    StreamView stream;
  };

  void move(const Transfer& transfer, const std::function<void()>& lead,
            const std::function<void()>& help);
  void lead_to_device();
  void lead_to_host();
  void fill(const PieceQueue::Piece& piece);
  void drain(const PieceQueue::Piece& piece);
  void wait_for(const StagedChunk& next_copied) const;
  void settle() noexcept;

  ChunkPlan plan_;
  ChunkRing ring_;
  PieceQueue pieces_;
  Transfer transfer_{nullptr, nullptr, 0, StreamView(nullptr)};
  // Whether the calling thread moves the array without help.
  bool is_alone_ = true;
  // Made once, as making them for each transfer might allocate.
  std::function<void()> lead_to_device_;
  std::function<void()> lead_to_host_;
  std::function<void()> help_fill_;
  std::function<void()> help_drain_;
  // Last: its threads use the rest.
  ThreadCrew crew_;
};

}  // namespace copybench
