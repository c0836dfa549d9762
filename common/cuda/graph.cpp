// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/graph.hpp"

#include <utility>

#include "common/cuda/check.hpp"

namespace copybench {

Graph::Graph() {
  cudaGraph_t graph = nullptr;
  check(cudaGraphCreate(&graph, 0), "cudaGraphCreate");
  graph_.reset(graph);
}

void Graph::Destroy::operator()(cudaGraph_t graph) const noexcept { (void)cudaGraphDestroy(graph); }

ExecutableGraph::ExecutableGraph(Graph graph) : graph_(std::move(graph)) {
  cudaGraphExec_t executable = nullptr;
  check(cudaGraphInstantiate(&executable, graph_.get(), 0), "cudaGraphInstantiate");
  executable_.reset(executable);
}

void ExecutableGraph::launch(StreamView stream) const {
  check(cudaGraphLaunch(executable_.get(), stream.get()), "cudaGraphLaunch");
}

void ExecutableGraph::upload(StreamView stream) const {
  check(cudaGraphUpload(executable_.get(), stream.get()), "cudaGraphUpload");
}

void ExecutableGraph::Destroy::operator()(cudaGraphExec_t executable) const noexcept {
  (void)cudaGraphExecDestroy(executable);
}

cudaGraphNode_t add_copy_node(cudaGraph_t graph, void* destination, const void* source,
                              std::size_t bytes, cudaMemcpyKind kind) {
  cudaGraphNode_t node = nullptr;
  check(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, destination, source, bytes, kind),
        "cudaGraphAddMemcpyNode1D");
  return node;
}

cudaGraphConditionalHandle make_condition(cudaGraph_t graph) {
  cudaGraphConditionalHandle condition{};
  check(cudaGraphConditionalHandleCreate(&condition, graph, 0, cudaGraphCondAssignDefault),
        "cudaGraphConditionalHandleCreate");
  return condition;
}

std::span<cudaGraph_t> add_conditional_node(cudaGraph_t graph, cudaGraphNode_t before,
                                            cudaGraphConditionalHandle condition,
                                            cudaGraphConditionalNodeType type, unsigned bodies) {
  cudaGraphNodeParams parameters{};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional.handle = condition;
  parameters.conditional.type = type;
  parameters.conditional.size = bodies;
  cudaGraphNode_t node = nullptr;
#if CUDART_VERSION >= 13000
  check(cudaGraphAddNode(&node, graph, &before, nullptr, 1, &parameters), "cudaGraphAddNode");
#else
  check(cudaGraphAddNode(&node, graph, &before, 1, &parameters), "cudaGraphAddNode");
#endif
  return {parameters.conditional.phGraph_out, bodies};
}

}  // namespace copybench
