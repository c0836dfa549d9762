// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <utility>

#include <cuda_runtime_api.h>

#include "simulator/call.hpp"
#include "simulator/conditions.hpp"
#include "simulator/graph.hpp"

using namespace copybench::simulator;

namespace {

bool fits(cudaGraphConditionalNodeType type, unsigned bodies) {
  switch (type) {
    case cudaGraphCondTypeWhile:
      return bodies == 1;
#if CUDART_VERSION >= 12080
    case cudaGraphCondTypeIf:
      return bodies == 1 || bodies == 2;
    case cudaGraphCondTypeSwitch:
      return bodies > 0;
#else
    case cudaGraphCondTypeIf:
      return bodies == 1;
#endif
    default:
      return false;
  }
}

// Of all kinds of node only conditional ones come this way.
void add_conditional(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                     std::size_t count, cudaGraphNodeParams* asked) {
  require(node != nullptr && asked != nullptr);
  require(asked->type == cudaGraphNodeTypeConditional, cudaErrorNotSupported);
  cudaConditionalNodeParams& conditional = asked->conditional;
  require(fits(conditional.type, conditional.size));
  ConditionalNode made{
      .condition = conditional.handle, .type = conditional.type, .bodies = {}, .handles = {}};
  std::generate_n(std::back_inserter(made.bodies), conditional.size,
                  [] { return std::make_unique<Graph>(Graph{.is_body = true}); });
  *node = add_node(graph, before, count, {std::move(made)});
  auto& added = *reinterpret_cast<GraphNode*>(*node);
  conditional.phGraph_out = std::get<ConditionalNode>(added.work).handles.data();
}

}  // namespace

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                     const cudaGraphNode_t* pDependencies,
                                     std::size_t numDependencies, void* dst, const void* src,
                                     std::size_t count, cudaMemcpyKind kind) {
  return run_call("cudaGraphAddMemcpyNode1D", [&](const CallFaults&) {
    require(pGraphNode != nullptr && count > 0);
    *pGraphNode =
        add_node(graph, pDependencies, numDependencies, {classify(dst, src, count, kind)});
  });
}

// Only launches to come are affected. Nodes of bodies are out of its reach here.
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                               void* dst, const void* src, std::size_t count,
                                               cudaMemcpyKind kind) {
  return run_call("cudaGraphExecMemcpyNodeSetParams1D", [&](const CallFaults&) {
    // Contract row 34: operations of no bytes are not supported.
    require(count > 0);
    ExecutableGraph& executable = find_executable(hGraphExec);
    // The node has to be there still, and with it its graph.
    (void)find_graph(reinterpret_cast<cudaGraph_t>(executable.graph));
    auto changed = std::make_shared<Steps>(*executable.steps);
    const auto step = std::ranges::find_if(
        *changed, [&](const Step& one) { return static_cast<const void*>(one.node) == node; });
    require(step != changed->end() && std::holds_alternative<Copy>(step->work));
    const Copy copy = classify(dst, src, count, kind);
    require(copy.kind == std::get<Copy>(step->work).kind);
    step->work = copy;
    executable.steps = std::move(changed);
  });
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* pHandle_out,
                                             cudaGraph_t graph, unsigned defaultLaunchValue,
                                             unsigned flags) {
  return run_call("cudaGraphConditionalHandleCreate", [&](const CallFaults&) {
    require(pHandle_out != nullptr && (flags == 0 || flags == cudaGraphCondAssignDefault));
    Graph& found = find_graph(graph);
    *pHandle_out = make_condition(found, defaultLaunchValue, flags == cudaGraphCondAssignDefault);
    found.conditions.push_back(*pHandle_out);
  });
}

#if CUDART_VERSION >= 13000
cudaError_t cudaGraphAddNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                             const cudaGraphNode_t* pDependencies,
                             const cudaGraphEdgeData* dependencyData, std::size_t numDependencies,
                             cudaGraphNodeParams* nodeParams) {
  return run_call("cudaGraphAddNode", [&](const CallFaults&) {
    require(dependencyData == nullptr, cudaErrorNotSupported);
    add_conditional(pGraphNode, graph, pDependencies, numDependencies, nodeParams);
  });
}
#else
cudaError_t cudaGraphAddNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                             const cudaGraphNode_t* pDependencies, std::size_t numDependencies,
                             cudaGraphNodeParams* nodeParams) {
  return run_call("cudaGraphAddNode", [&](const CallFaults&) {
    add_conditional(pGraphNode, graph, pDependencies, numDependencies, nodeParams);
  });
}
#endif

namespace copybench::simulator {

cudaError_t add_kernel_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                            std::size_t count, NodeBody body) noexcept {
  return run_call("cudaGraphAddKernelNode", [&](const CallFaults&) {
    *node = add_node(graph, before, count, {std::move(body)});
  });
}

}  // namespace copybench::simulator
