// SPDX-License-Identifier: Apache-2.0
#include "common/staging/parallel_staging_settings.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <string>

#include "common/affinity.hpp"

namespace copybench {
namespace {

// An event each.
constexpr std::size_t least_places = 64;

void check_settings(const ParallelStagingSettings& settings) {
  const auto require = [](std::size_t value, const char* name) {
    if (value == 0) {
      throw std::invalid_argument(std::string(name) + ": expected at least 1");
    }
  };
  require(settings.threads, "threads");
  require(settings.chunk_bytes, "chunk_bytes");
  require(settings.chunks, "chunks");
  require(settings.piece_bytes, "piece_bytes");
  if (settings.chunks > std::numeric_limits<std::size_t>::max() / settings.chunk_bytes) {
    throw std::invalid_argument("chunks: too many of that size");
  }
  if (!settings.cpus.empty() && !may_run_on(settings.cpus)) {
    throw std::invalid_argument("cpus: this process may run on none of them");
  }
}

}  // namespace

ChunkPlan plan_for(const ParallelStagingSettings& settings) {
  check_settings(settings);
  return {settings.chunks * settings.chunk_bytes,
          std::min(settings.piece_bytes, settings.chunk_bytes), settings.chunk_bytes};
}

std::size_t most_chunks_of(const ChunkPlan& plan) {
  // At either end the least one twice, and one of each power of two up to the most.
  const auto ramp =
      static_cast<std::size_t>(std::bit_width(plan.most_bytes / plan.least_bytes)) + 2;
  return std::max(plan.total_bytes / plan.most_bytes + 2 * ramp, least_places);
}

}  // namespace copybench
