// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "common/cuda/buffer.hpp"
#include "common/cuda/copy.hpp"
#include "common/cuda/event.hpp"
#include "common/cuda/stream.hpp"
#include "common/staging/thread_crew.hpp"

namespace copybench {

/// What ParallelStaging may use. The defaults are a guess; the family staged_parallel measures
/// others.
struct ParallelStagingSettings {
  /// The calling thread is one of them.
  std::size_t threads = 8;
  /// At most so many bytes a chunk: what one call of cudaMemcpyAsync copies.
  std::size_t chunk_bytes = std::size_t{1} << 20U;
  /// Pinned chunks of each thread. The second is filled while the first is on the link.
  std::size_t chunks_per_thread = 2;
  /// 1: the copies are enqueued in the caller's stream. More: in so many of its own, which the
  /// caller's waits for.
  std::size_t streams = 1;
  /// Where the helping threads may run, such as the processors near the device. Empty: where the
  /// calling thread may when this is made.
  std::vector<int> cpus{};

  friend bool operator==(const ParallelStagingSettings&, const ParallelStagingSettings&) = default;
};

/// Moves arrays between ordinary memory and the device at the speed of the link: what one thread's
/// memcpy is too slow for, several do together, through a ring of pinned chunks.
///
///     ParallelStaging staging({.threads = 8});
///     staging.to_device(device_pointer, array.data(), array.size(), stream);
///
/// Belongs to the device that is current when it is made, as must be those of its callers' streams.
/// Holds threads * chunks_per_thread * chunk_bytes of pinned memory; its threads sleep in between.
/// A transfer allocates nothing. Not thread-safe. Destroying it waits for the copies in flight.
class ParallelStaging {
 public:
  /// Throws CudaError, std::system_error, and std::invalid_argument for a setting that is 0.
  explicit ParallelStaging(const ParallelStagingSettings& settings = {});
  ~ParallelStaging();
  ParallelStaging(const ParallelStaging&) = delete;
  ParallelStaging& operator=(const ParallelStaging&) = delete;
  ParallelStaging(ParallelStaging&&) = delete;
  ParallelStaging& operator=(ParallelStaging&&) = delete;

  /// Blocks the calling thread until the source has been read in full; the caller may change or
  /// free it then. Runs after what is in `stream` already, and what is enqueued there afterwards
  /// sees the data. Behind a busy queue it returns early as long as the bytes fit into the chunks.
  /// Throws CudaError; what the destination holds is undefined then.
  void to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                 StreamView stream);

  /// Blocks the calling thread until the destination is complete. Runs after what is in `stream`
  /// already. Throws CudaError; what the destination holds is undefined then.
  void to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
               StreamView stream);

 private:
  // A piece of the array.
  struct Part {
    std::size_t offset;
    std::size_t bytes;
  };
  // A piece of the ring, the part that it holds, and the end of the last copy from or to it.
  struct Chunk {
    std::byte* memory;
    Part part;
    Event copied;
  };
  // What one thread works with: chunks of its own, so that it never waits for another thread.
  struct Lane {
    std::vector<Chunk> chunks;
    std::size_t next = 0;
  };
  using Work = void (ParallelStaging::*)(Lane& lane, StreamView stream);
  struct Transfer {
    std::byte* destination;
    const std::byte* source;
    std::size_t bytes;
    std::size_t part_bytes;
    Work work;
  };

  void move(const Transfer& transfer, StreamView stream);
  void work_as(std::size_t thread);
  void send(Lane& lane, StreamView stream);
  void receive(Lane& lane, StreamView stream);
  bool take(Part& part) noexcept;

  Buffer ring_;
  std::vector<Lane> lanes_;
  // None where the copies go to the caller's stream.
  std::vector<Stream> own_streams_;
  // What the caller's stream held before the transfer.
  Event before_;
  // Of each of the own streams, the end of its part of the transfer.
  std::vector<Event> ended_;
  std::size_t chunk_bytes_;
  Transfer transfer_{};
  cudaStream_t callers_stream_ = nullptr;
  // How many bytes of the transfer are handed out to threads.
  std::atomic<std::size_t> taken_{0};
  ThreadCrew::Job job_;
  // Last: its threads use the rest.
  ThreadCrew crew_;
};

}  // namespace copybench
