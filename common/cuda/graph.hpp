// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

#include <cuda_runtime_api.h>

#include "common/cuda/stream.hpp"

namespace copybench {

/// Owner of a graph that nodes are being added to.
class Graph {
 public:
  Graph();

  [[nodiscard]] cudaGraph_t get() const noexcept { return graph_.get(); }

 private:
  struct Destroy {
    void operator()(cudaGraph_t graph) const noexcept;
  };
  std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, Destroy> graph_;
};

/// Owner of a graph made ready to be launched, and of the graph that it was made of: nodes of the
/// one are named by those of the other. Whoever destroys it waits for its launches first. Throws
/// CudaError.
class ExecutableGraph {
 public:
  explicit ExecutableGraph(Graph graph);

  [[nodiscard]] cudaGraphExec_t get() const noexcept { return executable_.get(); }
  void launch(StreamView stream) const;
  /// Moves it to the device, which the first launch does otherwise.
  void upload(StreamView stream) const;

 private:
  struct Destroy {
    void operator()(cudaGraphExec_t executable) const noexcept;
  };
  Graph graph_;
  std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, Destroy> executable_;
};

/// Adds a copy. Of no bytes there can be none. Throws CudaError.
cudaGraphNode_t add_copy_node(cudaGraph_t graph, void* destination, const void* source,
                              std::size_t bytes, cudaMemcpyKind kind);

/// A condition that kernels of the graph set, 0 when a launch begins. It has to be given to a node.
[[nodiscard]] cudaGraphConditionalHandle make_condition(cudaGraph_t graph);

/// Adds a node that runs none, one or some of `bodies` graphs, as the condition says, and returns
/// those, still empty and owned by the node. Body graphs hold kernels, memory operations on device
/// memory and on mapped pinned memory, and nodes of the same sort; all of one device. Throws
/// CudaError.
[[nodiscard]] std::span<cudaGraph_t> add_conditional_node(cudaGraph_t graph, cudaGraphNode_t before,
                                                          cudaGraphConditionalHandle condition,
                                                          cudaGraphConditionalNodeType type,
                                                          unsigned bodies);

}  // namespace copybench
