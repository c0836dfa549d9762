// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "common/staging/chunk_plan.hpp"

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

/// How an array of the ring's size is divided into chunks. Throws std::invalid_argument for a
/// setting that is 0, for a ring that no memory could hold, and for processors none of which the
/// process may run on.
[[nodiscard]] ChunkPlan plan_for(const ParallelStagingSettings& settings);

/// How many chunks the ring is to hold at most: those of an array that fits into it, or a good
/// number of small ones, each of a transfer of its own.
[[nodiscard]] std::size_t most_chunks_of(const ChunkPlan& plan);

}  // namespace copybench
