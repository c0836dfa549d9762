// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/graph_chains/graph_update_chain.hpp"

#include <utility>

#include "common/chaining/elements_asked.hpp"
#include "common/cuda/check.hpp"

namespace copybench {

GraphUpdateChain::~GraphUpdateChain() {
  // After an error nothing runs any more, and a destructor has nobody to tell.
  (void)cudaStreamSynchronize(stream().get());
  (void)cudaGetLastError();
}

void GraphUpdateChain::begin(const ChainRequest& request) {
  enqueue_size_copy(request, stream());
  stream().sync();
  const std::size_t elements = elements_asked(request);
  if (elements > 0) {
    graph_for(request, elements).launch(stream());
  }
  record_end();
}

const ExecutableGraph& GraphUpdateChain::graph_for(const ChainRequest& request,
                                                   std::size_t elements) {
  const std::size_t bytes = elements * request.element_bytes;
  if (!graph_) {
    Graph graph;
    copy_ = add_copy_node(graph.get(), request.host_data, request.device_data, bytes,
                          cudaMemcpyDeviceToHost);
    return graph_.emplace(std::move(graph));
  }
  check(cudaGraphExecMemcpyNodeSetParams1D(graph_->get(), copy_, request.host_data,
                                           request.device_data, bytes, cudaMemcpyDeviceToHost),
        "cudaGraphExecMemcpyNodeSetParams1D");
  return *graph_;
}

}  // namespace copybench
