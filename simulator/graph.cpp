// SPDX-License-Identifier: Apache-2.0
#include "simulator/graph.hpp"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include "simulator/call.hpp"
#include "simulator/conditions.hpp"
#include "simulator/report.hpp"

namespace copybench::simulator {
namespace {

// The graphs of one of the two kinds that the program holds.
template <typename T>
class Held {
 public:
  T* add(std::unique_ptr<T> graph) {
    const std::scoped_lock lock(mutex_);
    count_holding(Holding::graph, 1);
    return all_.emplace_back(std::move(graph)).get();
  }
  // One that somebody else owns.
  void add_part(T* graph) {
    const std::scoped_lock lock(mutex_);
    parts_.insert(graph);
  }
  void remove_part(T* graph) {
    const std::scoped_lock lock(mutex_);
    parts_.erase(graph);
  }
  // These throw Refusal for a handle of none of them.
  T& find(const void* handle) {
    const std::scoped_lock lock(mutex_);
    const auto part = std::ranges::find(parts_, handle, [](T* one) -> const void* { return one; });
    return part != parts_.end() ? **part : **locate(handle);
  }
  std::unique_ptr<T> remove(const void* handle) {
    const std::scoped_lock lock(mutex_);
    const auto found = locate(handle);
    std::unique_ptr<T> taken = std::move(*found);
    all_.erase(found);
    count_holding(Holding::graph, -1);
    return taken;
  }
  bool holds(const T* graph) {
    const std::scoped_lock lock(mutex_);
    return std::ranges::find(all_, graph, &std::unique_ptr<T>::get) != all_.end();
  }

  // Never destroyed: static objects of the program give their graphs back late.
  static Held& get() {
    static auto* const held = new Held;
    return *held;
  }

 private:
  auto locate(const void* handle) {
    const auto found = std::ranges::find_if(
        all_, [&](const std::unique_ptr<T>& graph) { return graph.get() == handle; });
    require(found != all_.end());
    return found;
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> all_;
  std::set<T*> parts_;
};

void forget_bodies(const Graph& graph) {
  for (const auto& node : graph.nodes) {
    if (const auto* const conditional = std::get_if<ConditionalNode>(&node->work)) {
      for (const auto& body : conditional->bodies) {
        forget_bodies(*body);
        Held<Graph>::get().remove_part(body.get());
      }
    }
  }
}

void require_nodes(const Graph& graph, const cudaGraphNode_t* nodes, std::size_t count) {
  require(nodes != nullptr || count == 0);
  for (std::size_t i = 0; i < count; ++i) {
    require(std::ranges::any_of(
        graph.nodes, [&](const auto& node) { return static_cast<void*>(node.get()) == nodes[i]; }));
  }
}

Steps steps_of(const Graph& graph);

// What the guide says of bodies: of host memory only what is pinned and mapped (contract row 36).
std::shared_ptr<const Branch> branch_of(const ConditionalNode& node) {
  Branch branch{.condition = node.condition, .type = node.type, .bodies = {}};
  for (const auto& body : node.bodies) {
    branch.bodies.push_back(steps_of(*body));
    for (const Step& step : branch.bodies.back()) {
      const auto* const copy = std::get_if<Copy>(&step.work);
      require(copy == nullptr || !copy->pageable);
    }
  }
  return std::make_shared<const Branch>(std::move(branch));
}

Steps steps_of(const Graph& graph) {
  require(std::ranges::all_of(graph.conditions, is_taken));
  Steps steps;
  for (const auto& node : graph.nodes) {
    Step& step = steps.emplace_back(Step{.node = node.get(), .work = NodeBody{}});
    if (const auto* const copy = std::get_if<Copy>(&node->work)) {
      step.work = *copy;
    } else if (const auto* const body = std::get_if<NodeBody>(&node->work)) {
      step.work = *body;
    } else {
      step.work = branch_of(std::get<ConditionalNode>(node->work));
    }
  }
  return steps;
}

}  // namespace

bool Graph::has_conditional() const {
  return std::ranges::any_of(
      nodes, [](const auto& node) { return std::holds_alternative<ConditionalNode>(node->work); });
}

cudaGraph_t keep(std::unique_ptr<Graph> graph) {
  return reinterpret_cast<cudaGraph_t>(Held<Graph>::get().add(std::move(graph)));
}
Graph& find_graph(cudaGraph_t handle) { return Held<Graph>::get().find(handle); }
void destroy(cudaGraph_t handle) { forget_bodies(*Held<Graph>::get().remove(handle)); }

cudaGraphExec_t keep(std::unique_ptr<ExecutableGraph> graph) {
  return reinterpret_cast<cudaGraphExec_t>(Held<ExecutableGraph>::get().add(std::move(graph)));
}
ExecutableGraph& find_executable(cudaGraphExec_t handle) {
  return Held<ExecutableGraph>::get().find(handle);
}
void destroy(cudaGraphExec_t handle) {
  const auto taken = Held<ExecutableGraph>::get().remove(handle);
  if (Held<Graph>::get().holds(taken->graph)) {
    --taken->graph->instances;
  }
}

cudaGraphNode_t add_node(cudaGraph_t graph, const cudaGraphNode_t* before, std::size_t count,
                         GraphNode node) {
  Graph& found = find_graph(graph);
  require_nodes(found, before, count);
  auto added = std::make_unique<GraphNode>(std::move(node));
  if (auto* const conditional = std::get_if<ConditionalNode>(&added->work)) {
    take_condition(conditional->condition, found);
    for (const auto& body : conditional->bodies) {
      Held<Graph>::get().add_part(body.get());
      conditional->handles.push_back(reinterpret_cast<cudaGraph_t>(body.get()));
    }
  }
  return reinterpret_cast<cudaGraphNode_t>(found.nodes.emplace_back(std::move(added)).get());
}

std::unique_ptr<ExecutableGraph> instantiate(cudaGraph_t handle) {
  Graph& graph = find_graph(handle);
  require(!graph.is_body);
  require(graph.instances == 0 || !graph.has_conditional(), cudaErrorNotSupported);
  auto made = std::make_unique<ExecutableGraph>(
      ExecutableGraph{.graph = &graph,
                      .steps = std::make_shared<const Steps>(steps_of(graph)),
                      .conditions = graph.conditions});
  ++graph.instances;
  return made;
}

}  // namespace copybench::simulator
