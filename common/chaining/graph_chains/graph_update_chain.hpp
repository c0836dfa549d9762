// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "common/chaining/enqueued_chains.hpp"
#include "common/cuda/graph.hpp"

namespace copybench {

/// The host waits for the size, as in stream_sync, and then launches a graph whose copy it has made
/// so long. A node of no bytes is not to be had: for no elements it launches nothing.
class GraphUpdateChain final : public EnqueuedChain {
 public:
  using EnqueuedChain::EnqueuedChain;
  /// Waits for the chain in flight, which runs the graph.
  ~GraphUpdateChain() override;
  GraphUpdateChain(const GraphUpdateChain&) = delete;
  GraphUpdateChain& operator=(const GraphUpdateChain&) = delete;
  GraphUpdateChain(GraphUpdateChain&&) = delete;
  GraphUpdateChain& operator=(GraphUpdateChain&&) = delete;

 private:
  void begin(const ChainRequest& request) override;
  /// The graph, made to copy so much.
  const ExecutableGraph& graph_for(const ChainRequest& request, std::size_t elements);

  cudaGraphNode_t copy_ = nullptr;
  std::optional<ExecutableGraph> graph_;
};

}  // namespace copybench
