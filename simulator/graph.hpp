// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include <cuda_runtime_api.h>

#include "simulator/copy.hpp"
#include "simulator/fault_plan.hpp"
#include "simulator/progress.hpp"

namespace copybench::simulator {

/// What a kernel node does. One that copies takes the wrong byte of its launch, if there is one,
/// and leaves none for others.
using NodeBody = std::function<cudaError_t(CallFaults&)>;

struct Graph;

struct ConditionalNode {
  cudaGraphConditionalHandle condition;
  cudaGraphConditionalNodeType type;
  std::vector<std::unique_ptr<Graph>> bodies;
  /// The same as the program sees them.
  std::vector<cudaGraph_t> handles;
};

struct GraphNode {
  std::variant<Copy, NodeBody, ConditionalNode> work;
};

/// What cudaGraph_t hides. Nodes run in the order in which they were added, which fits every order
/// that is asked for: a node can depend on none but earlier ones.
struct Graph {
  std::vector<std::unique_ptr<GraphNode>> nodes{};
  std::vector<cudaGraphConditionalHandle> conditions{};
  /// Owned by a conditional node.
  bool is_body = false;
  /// Executable graphs made of it that there are.
  int instances = 0;

  [[nodiscard]] bool has_conditional() const;
};

struct Step;
using Steps = std::vector<Step>;

struct Branch {
  cudaGraphConditionalHandle condition;
  cudaGraphConditionalNodeType type;
  std::vector<Steps> bodies;
};

/// A node of an executable graph.
struct Step {
  const GraphNode* node;
  std::variant<Copy, NodeBody, std::shared_ptr<const Branch>> work;
};

/// What cudaGraphExec_t hides. A launch that is under way keeps the steps that it began with.
struct ExecutableGraph {
  Graph* graph;
  std::shared_ptr<const Steps> steps;
  std::vector<cudaGraphConditionalHandle> conditions;
  Ticket last_launch{};
};

// Graphs that the program holds, those of the bodies of conditional nodes included. The functions
// throw Refusal for a handle of none of them.
[[nodiscard]] cudaGraph_t keep(std::unique_ptr<Graph> graph);
[[nodiscard]] Graph& find_graph(cudaGraph_t handle);
void destroy(cudaGraph_t handle);
[[nodiscard]] cudaGraphExec_t keep(std::unique_ptr<ExecutableGraph> graph);
[[nodiscard]] ExecutableGraph& find_executable(cudaGraphExec_t handle);
void destroy(cudaGraphExec_t handle);

/// Adds a node behind others of the same graph, and makes the handles of the bodies it may have.
[[nodiscard]] cudaGraphNode_t add_node(cudaGraph_t graph, const cudaGraphNode_t* before,
                                       std::size_t count, GraphNode node);

/// Throws Refusal for a graph that cannot be made ready.
[[nodiscard]] std::unique_ptr<ExecutableGraph> instantiate(cudaGraph_t handle);

/// Enqueues it behind the last launch of it.
void launch(ExecutableGraph& executable, cudaStream_t stream, const CallFaults& faults);

/// A kernel node, for the launch functions of common/chain_kernels.hpp. Counts as a call of
/// cudaGraphAddKernelNode.
cudaError_t add_kernel_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* before,
                            std::size_t count, NodeBody body) noexcept;

}  // namespace copybench::simulator
