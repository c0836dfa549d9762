// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>

#include "simulator/call.hpp"
#include "simulator/devices.hpp"
#include "simulator/report.hpp"
#include "simulator/transfer.hpp"

using namespace copybench::simulator;

namespace {

// What cudaGraph_t and cudaGraphExec_t hide. Nodes run in the order in which they were added, which
// fits every order that is asked for: a node can depend on none but earlier ones.
struct Graph {
  std::vector<std::unique_ptr<Copy>> nodes;
};
struct ExecutableGraph {
  std::vector<Copy> copies;
};

// The graphs of one of these kinds that the program holds.
template <typename T>
class Held {
 public:
  T* add(std::unique_ptr<T> graph) {
    const std::scoped_lock lock(mutex_);
    count_holding(Holding::graph, 1);
    return all_.emplace_back(std::move(graph)).get();
  }
  // These throw Refusal for a handle of none of them.
  T& find(const void* handle) {
    const std::scoped_lock lock(mutex_);
    return **locate(handle);
  }
  void remove(const void* handle) {
    const std::scoped_lock lock(mutex_);
    all_.erase(locate(handle));
    count_holding(Holding::graph, -1);
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
};

void require_nodes(const Graph& graph, const cudaGraphNode_t* nodes, std::size_t count) {
  require(nodes != nullptr || count == 0);
  for (std::size_t i = 0; i < count; ++i) {
    require(std::ranges::any_of(
        graph.nodes, [&](const auto& node) { return static_cast<void*>(node.get()) == nodes[i]; }));
  }
}

}  // namespace

cudaError_t cudaGraphCreate(cudaGraph_t* pGraph, unsigned flags) {
  return run_call("cudaGraphCreate", [&](const CallFaults&) {
    require(pGraph != nullptr && flags == 0);
    *pGraph = reinterpret_cast<cudaGraph_t>(Held<Graph>::get().add(std::make_unique<Graph>()));
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return run_call("cudaGraphDestroy", [&](const CallFaults&) { Held<Graph>::get().remove(graph); });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                     const cudaGraphNode_t* pDependencies,
                                     std::size_t numDependencies, void* dst, const void* src,
                                     std::size_t count, cudaMemcpyKind kind) {
  return run_call("cudaGraphAddMemcpyNode1D", [&](const CallFaults&) {
    require(pGraphNode != nullptr && count > 0);
    Graph& found = Held<Graph>::get().find(graph);
    require_nodes(found, pDependencies, numDependencies);
    found.nodes.push_back(std::make_unique<Copy>(classify(dst, src, count, kind)));
    *pGraphNode = reinterpret_cast<cudaGraphNode_t>(found.nodes.back().get());
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* pGraphExec, cudaGraph_t graph,
                                 unsigned long long flags) {
  return run_call("cudaGraphInstantiate", [&](const CallFaults&) {
    require(pGraphExec != nullptr && flags == 0);
    auto made = std::make_unique<ExecutableGraph>();
    for (const auto& node : Held<Graph>::get().find(graph).nodes) {
      made->copies.push_back(*node);
    }
    *pGraphExec =
        reinterpret_cast<cudaGraphExec_t>(Held<ExecutableGraph>::get().add(std::move(made)));
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graphExec) {
  return run_call("cudaGraphExecDestroy",
                  [&](const CallFaults&) { Held<ExecutableGraph>::get().remove(graphExec); });
}

// Each copy as cudaMemcpyAsync makes it.
cudaError_t cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream) {
  return run_enqueueing_call("cudaGraphLaunch", [&](CallFaults faults) {
    (void)find_stream(stream);
    for (const Copy& copy : Held<ExecutableGraph>::get().find(graphExec).copies) {
      copy_async(copy, stream, faults);
      // One wrong byte, not one in each copy.
      faults.corrupt_byte.reset();
    }
  });
}
