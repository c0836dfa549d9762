// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <cuda_runtime_api.h>

#include "common/cuda/stream.hpp"

// The kernels of chains in which the device decides how much is copied: a part of the seam that
// kernels.hpp is. One is launched, the others become nodes of graphs. All throw CudaError when CUDA
// refuses. A size below 0 or above the capacity reaches the host, and nothing is copied.

namespace copybench {

/// A copy of as many elements as *device_size says, and of that size. All addresses are the
/// device's; the host's memory has to be mapped.
struct CountedCopy {
  const std::int32_t* device_size;
  std::int32_t* host_size;
  const double* source;
  double* destination;
  std::size_t capacity;
};

/// Nodes that have to be done before.
using NodesBefore = std::span<const cudaGraphNode_t>;

/// Makes the driver load these kernels now; a part of load_kernels().
void load_chain_kernels();

/// Copies both, in one kernel.
void launch_counted_copy(StreamView stream, const CountedCopy& copy);

/// Copies the size, and sets the condition to the number of the largest bucket that holds no more
/// elements (size_buckets.hpp): to one that no bucket has when there is none.
cudaGraphNode_t add_choose_bucket(cudaGraph_t graph, NodesBefore before, const CountedCopy& copy,
                                  cudaGraphConditionalHandle condition);

/// Copies the elements behind those of that bucket.
cudaGraphNode_t add_copy_past_bucket(cudaGraph_t graph, NodesBefore before,
                                     const CountedCopy& copy);

/// Elements of one tile.
inline constexpr std::size_t tile_elements = std::size_t{1} << 17U;

/// Copies the size, sets *tile to 0, and the condition to whether there is anything to copy.
cudaGraphNode_t add_first_tile(cudaGraph_t graph, NodesBefore before, const CountedCopy& copy,
                               std::uint32_t* tile, cudaGraphConditionalHandle condition);

/// Copies the elements of tile number *tile.
cudaGraphNode_t add_copy_tile(cudaGraph_t graph, NodesBefore before, const CountedCopy& copy,
                              const std::uint32_t* tile);

/// Counts *tile up, and sets the condition to whether there is such a tile.
cudaGraphNode_t add_next_tile(cudaGraph_t graph, NodesBefore before, const CountedCopy& copy,
                              std::uint32_t* tile, cudaGraphConditionalHandle condition);

/// Adds two kernels: one copies the size and gives the other a grid that fits it, or switches it
/// off; the other copies the elements. A graph with such nodes has to be uploaded before it is
/// launched, and cannot be instantiated twice.
void add_planned_copy(cudaGraph_t graph, const CountedCopy& copy);

}  // namespace copybench
