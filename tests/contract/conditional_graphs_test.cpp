// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "common/chain_kernels.hpp"
#include "common/cuda/check.hpp"
#include "common/cuda/device_view.hpp"
#include "common/cuda/graph.hpp"
#include "tests/contract/contract.hpp"

namespace copybench {
namespace {

// A kernel sets the condition to whether the size on the device is above 0.
class ConditionalGraphs : public Contract {
 protected:
  static constexpr std::size_t elements = 512;
  static constexpr std::size_t bytes = elements * sizeof(double);

  ConditionalGraphs() {
    fill(data_, new_byte);
    fill(arrived_, old_byte);
    fill(size_, std::byte{1});
  }

  [[nodiscard]] cudaGraphNode_t add_setter(cudaGraph_t graph,
                                           cudaGraphConditionalHandle condition) const {
    const CountedCopy copy{.device_size = reinterpret_cast<const std::int32_t*>(size_.data()),
                           .host_size = static_cast<std::int32_t*>(device_view(host_size_.data())),
                           .source = reinterpret_cast<const double*>(data_.data()),
                           .destination = static_cast<double*>(device_view(arrived_.data())),
                           .capacity = std::size_t{1} << 30U};
    return add_first_tile(graph, {}, copy, reinterpret_cast<std::uint32_t*>(tile_.data()),
                          condition);
  }

  /// A graph whose body is still empty.
  [[nodiscard]] Graph graph_with_body(cudaGraph_t& body) const {
    Graph graph;
    const auto condition = make_condition(graph.get());
    auto* const setter = add_setter(graph.get(), condition);
    body = add_conditional_node(graph.get(), setter, condition, cudaGraphCondTypeIf, 1).front();
    return graph;
  }

  /// One whose body copies to pinned memory.
  [[nodiscard]] Graph graph_that_copies() const {
    cudaGraph_t body = nullptr;
    Graph graph = graph_with_body(body);
    (void)add_copy_node(body, arrived_.data(), data_.data(), bytes, cudaMemcpyDeviceToHost);
    return graph;
  }

  static std::string instantiation(cudaGraph_t graph) {
    cudaGraphExec_t made = nullptr;
    std::string result = result_of(cudaGraphInstantiate(&made, graph, 0));
    if (made != nullptr) {
      check(cudaGraphExecDestroy(made), "cudaGraphExecDestroy");
    }
    return result;
  }

  Buffer size_{MemoryKind::device, sizeof(std::int32_t)};
  Buffer tile_{MemoryKind::device, sizeof(std::uint32_t)};
  Buffer host_size_{MemoryKind::pinned, sizeof(std::int32_t)};
  Buffer data_{MemoryKind::device, bytes};
  Buffer arrived_{MemoryKind::pinned, bytes};
};

TEST_F(ConditionalGraphs, ABodyCopiesToPinnedMemory) {
  documented("bodies may copy device memory and mapped pinned memory");
  const ExecutableGraph graph(graph_that_copies());
  graph.launch(stream_);
  stream_.sync();
  EXPECT_TRUE(holds(arrived_, new_byte));
  observed(describe_arrival(arrived_));
}

TEST_F(ConditionalGraphs, ABodyOfAConditionThatIsZeroDoesNotRun) {
  documented("runs when the condition is not zero");
  fill(size_, std::byte{0});
  const ExecutableGraph graph(graph_that_copies());
  graph.launch(stream_);
  stream_.sync();
  EXPECT_TRUE(holds(arrived_, old_byte));
  observed(describe_arrival(arrived_));
}

TEST_F(ConditionalGraphs, ABodyThatCopiesToPageableMemory) {
  documented("not permitted");
  const Buffer pageable(MemoryKind::pageable, bytes);
  cudaGraph_t body = nullptr;
  const Graph graph = graph_with_body(body);
  cudaGraphNode_t node = nullptr;
  const cudaError_t added = cudaGraphAddMemcpyNode1D(&node, body, nullptr, 0, pageable.data(),
                                                     data_.data(), bytes, cudaMemcpyDeviceToHost);
  observed(added == cudaSuccess ? "instantiating it: " + instantiation(graph.get())
                                : "adding it: " + result_of(added));
}

TEST_F(ConditionalGraphs, AConditionWithoutANode) {
  documented("may make the instantiation fail");
  const Graph graph;
  (void)add_setter(graph.get(), make_condition(graph.get()));
  observed("instantiating it: " + instantiation(graph.get()));
}

TEST_F(ConditionalGraphs, ASecondInstance) {
  documented("only one may exist at any time");
  Graph graph = graph_that_copies();
  auto* const handle = graph.get();
  const ExecutableGraph first(std::move(graph));
  observed("instantiating it: " + instantiation(handle));
}

class UpdatedGraphs : public ConditionalGraphs {
 protected:
  static ExecutableGraph graph_of_copy(const Buffer& destination, const Buffer& source,
                                       cudaGraphNode_t& node) {
    Graph graph;
    node = add_copy_node(graph.get(), destination.data(), source.data(), bytes,
                         cudaMemcpyDeviceToHost);
    return ExecutableGraph(std::move(graph));
  }

  [[nodiscard]] cudaError_t update(std::byte* destination, std::size_t count) const {
    return cudaGraphExecMemcpyNodeSetParams1D(graph_.get(), node_, destination, data_.data(), count,
                                              cudaMemcpyDeviceToHost);
  }

  cudaGraphNode_t node_ = nullptr;
  ExecutableGraph graph_ = graph_of_copy(arrived_, data_, node_);
};

TEST_F(UpdatedGraphs, ToNoBytes) {
  documented("row 34: operations of no bytes are not supported");
  observed(result_of(update(arrived_.data(), 0)));
}

TEST_F(UpdatedGraphs, ToFewerBytesElsewhere) {
  documented("row 34: later launches do as the update says");
  const Buffer elsewhere(MemoryKind::pinned, bytes / 2);
  fill(elsewhere, old_byte);
  check(update(elsewhere.data(), bytes / 2), "cudaGraphExecMemcpyNodeSetParams1D");
  graph_.launch(stream_);
  stream_.sync();
  EXPECT_TRUE(holds(elsewhere, new_byte));
  EXPECT_TRUE(holds(arrived_, old_byte));
  observed(describe_arrival(elsewhere));
}

TEST_F(UpdatedGraphs, WhileALaunchIsEnqueued) {
  documented("row 34: a launch that is enqueued stays as it is");
  gate_.close(stream_);
  const OpenOnExit guard(gate_);
  gate_.start_hold(long_hold);
  graph_.launch(stream_);
  check(update(arrived_.data(), sizeof(double)), "cudaGraphExecMemcpyNodeSetParams1D");
  (void)gate_.open();
  stream_.sync();
  EXPECT_TRUE(holds(arrived_, new_byte));
  observed(describe_arrival(arrived_));
}

}  // namespace
}  // namespace copybench
