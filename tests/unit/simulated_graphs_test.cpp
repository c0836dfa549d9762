// SPDX-License-Identifier: Apache-2.0
// What the simulator makes of graphs, and what it refuses because CUDA's documentation does.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "common/cuda/buffer.hpp"
#include "common/cuda/check.hpp"
#include "common/cuda/graph.hpp"
#include "common/measurement/gate.hpp"
#include "simulator/conditions.hpp"
#include "simulator/graph.hpp"

namespace copybench {
namespace {

class SimulatedGraphs : public testing::Test {
 protected:
  static constexpr std::size_t bytes = 64;

  // Kernels leave their numbers here.
  cudaGraphNode_t add_mark(cudaGraph_t graph, int number) {
    return add([this, number] { marks_.push_back(number); }, graph);
  }

  template <typename Body>
  static cudaGraphNode_t add(const Body& body, cudaGraph_t graph) {
    cudaGraphNode_t node = nullptr;
    check(simulator::add_kernel_node(&node, graph, nullptr, 0,
                                     [body](simulator::CallFaults&) {
                                       body();
                                       return cudaSuccess;
                                     }),
          "cudaGraphAddKernelNode");
    return node;
  }

  cudaGraphNode_t add_setter(cudaGraph_t graph, cudaGraphConditionalHandle condition,
                             unsigned value) {
    return add([=] { simulator::set_condition(condition, value); }, graph);
  }

  [[nodiscard]] std::vector<int> run(const ExecutableGraph& graph) {
    marks_.clear();
    graph.launch(stream_);
    stream_.sync();
    return marks_;
  }

  cudaGraphNode_t add_copy(cudaGraph_t graph) const {
    return add_copy_node(graph, destination_.data(), source_.data(), bytes, cudaMemcpyDeviceToHost);
  }

  static cudaError_t cleared(cudaError_t code) {
    (void)cudaGetLastError();
    return code;
  }
  static cudaError_t instantiation_of(cudaGraph_t graph) {
    cudaGraphExec_t made = nullptr;
    const cudaError_t code = cleared(cudaGraphInstantiate(&made, graph, 0));
    if (made != nullptr) {
      check(cudaGraphExecDestroy(made), "cudaGraphExecDestroy");
    }
    return code;
  }

  std::vector<int> marks_;
  Stream stream_{StreamKind::nonblocking};
  Buffer source_{MemoryKind::device, bytes};
  Buffer destination_{MemoryKind::pinned, bytes};
  Gate gate_;
};

TEST_F(SimulatedGraphs, AnIfRunsOneOfItsBodies) {
  for (const unsigned value : {0U, 1U, 7U}) {
    Graph graph;
    const auto condition = make_condition(graph.get());
    auto* const setter = add_setter(graph.get(), condition, value);
    const auto bodies =
        add_conditional_node(graph.get(), setter, condition, cudaGraphCondTypeIf, 1);
    (void)add_mark(bodies[0], 1);
    (void)add_mark(graph.get(), 2);
    EXPECT_EQ(run(ExecutableGraph(std::move(graph))),
              value == 0 ? std::vector{2} : (std::vector{1, 2}));
  }
}

TEST_F(SimulatedGraphs, AConditionBeginsEachLaunchWithItsDefault) {
  Graph graph;
  const auto condition = make_condition(graph.get());
  bool sets = true;
  auto* const setter = add(
      [&] {
        if (sets) {
          simulator::set_condition(condition, 1);
        }
      },
      graph.get());
  (void)add_mark(
      add_conditional_node(graph.get(), setter, condition, cudaGraphCondTypeIf, 1).front(), 1);
  const ExecutableGraph executable(std::move(graph));
  EXPECT_EQ(run(executable), std::vector{1});
  sets = false;
  EXPECT_EQ(run(executable), std::vector<int>{});
}

TEST_F(SimulatedGraphs, AWhileRunsItsBodyUntilTheConditionIsZero) {
  Graph graph;
  const auto condition = make_condition(graph.get());
  auto* const setter = add_setter(graph.get(), condition, 3);
  cudaGraph_t body =
      add_conditional_node(graph.get(), setter, condition, cudaGraphCondTypeWhile, 1).front();
  (void)add_mark(body, 1);
  (void)add(
      [condition] {
        simulator::set_condition(condition, simulator::condition_value(condition) - 1);
      },
      body);
  EXPECT_EQ(run(ExecutableGraph(std::move(graph))), (std::vector{1, 1, 1}));
}

#if CUDART_VERSION >= 12080
TEST_F(SimulatedGraphs, ASwitchRunsTheBodyOfThatNumberOrNone) {
  for (const unsigned value : {0U, 1U, 2U, 3U}) {
    Graph graph;
    const auto condition = make_condition(graph.get());
    auto* const setter = add_setter(graph.get(), condition, value);
    const auto bodies =
        add_conditional_node(graph.get(), setter, condition, cudaGraphCondTypeSwitch, 3);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      (void)add_mark(bodies[i], static_cast<int>(i));
    }
    EXPECT_EQ(run(ExecutableGraph(std::move(graph))),
              value < 3 ? std::vector{static_cast<int>(value)} : std::vector<int>{});
  }
}
#endif

TEST_F(SimulatedGraphs, PageableMemoryInABodyIsRefused) {
  const Buffer pageable(MemoryKind::pageable, bytes);
  Graph graph;
  const auto condition = make_condition(graph.get());
  auto* const setter = add_setter(graph.get(), condition, 1);
  cudaGraph_t body =
      add_conditional_node(graph.get(), setter, condition, cudaGraphCondTypeIf, 1).front();
  (void)add_copy_node(body, pageable.data(), source_.data(), bytes, cudaMemcpyDeviceToHost);
  EXPECT_EQ(instantiation_of(graph.get()), cudaErrorInvalidValue);
}

TEST_F(SimulatedGraphs, AConditionWithoutANodeIsRefused) {
  Graph graph;
  (void)add_mark(graph.get(), 1);
  (void)make_condition(graph.get());
  EXPECT_EQ(instantiation_of(graph.get()), cudaErrorInvalidValue);
}

TEST_F(SimulatedGraphs, AConditionServesOneNodeOfItsGraph) {
  Graph graph;
  const Graph other;
  const auto condition = make_condition(graph.get());
  auto* const setter = add_mark(graph.get(), 1);
  auto* const elsewhere = add_mark(other.get(), 1);
  EXPECT_THROW(
      (void)add_conditional_node(other.get(), elsewhere, condition, cudaGraphCondTypeIf, 1),
      CudaError);
  (void)add_conditional_node(graph.get(), setter, condition, cudaGraphCondTypeIf, 1);
  EXPECT_THROW((void)add_conditional_node(graph.get(), setter, condition, cudaGraphCondTypeIf, 1),
               CudaError);
}

TEST_F(SimulatedGraphs, ALoopHasOneBody) {
  const Graph graph;
  const auto condition = make_condition(graph.get());
  auto* const setter = add_mark(graph.get(), 1);
  for (const unsigned bodies : {0U, 2U}) {
    EXPECT_THROW(
        (void)add_conditional_node(graph.get(), setter, condition, cudaGraphCondTypeWhile, bodies),
        CudaError);
  }
}

TEST_F(SimulatedGraphs, OfAGraphWithAConditionalNodeThereIsOneInstance) {
  Graph graph;
  const auto condition = make_condition(graph.get());
  auto* const setter = add_setter(graph.get(), condition, 0);
  (void)add_conditional_node(graph.get(), setter, condition, cudaGraphCondTypeIf, 1);
  cudaGraph_t handle = graph.get();
  EXPECT_EQ(instantiation_of(handle), cudaSuccess);
  const ExecutableGraph executable(std::move(graph));
  EXPECT_EQ(instantiation_of(handle), cudaErrorNotSupported);
}

TEST_F(SimulatedGraphs, ABodyBelongsToItsNode) {
  const Graph graph;
  const auto condition = make_condition(graph.get());
  auto* const setter = add_mark(graph.get(), 1);
  cudaGraph_t body =
      add_conditional_node(graph.get(), setter, condition, cudaGraphCondTypeIf, 1).front();
  EXPECT_EQ(cleared(cudaGraphDestroy(body)), cudaErrorInvalidValue);
  EXPECT_EQ(instantiation_of(body), cudaErrorInvalidValue);
}

class UpdatedCopy : public SimulatedGraphs {
 protected:
  void SetUp() override {
    Graph graph;
    node_ = add_copy(graph.get());
    executable_ = std::make_unique<ExecutableGraph>(std::move(graph));
    std::memset(destination_.data(), 0, bytes);
    check(cudaMemset(source_.data(), 0xa5, bytes), "cudaMemset");
    // Which returns before it is done, and no other stream waits for it.
    Stream(StreamKind::legacy).sync();
  }

  [[nodiscard]] cudaError_t update(cudaGraphNode_t node, std::size_t count) const {
    return cleared(cudaGraphExecMemcpyNodeSetParams1D(executable_->get(), node, destination_.data(),
                                                      source_.data(), count,
                                                      cudaMemcpyDeviceToHost));
  }
  [[nodiscard]] std::size_t copied() const {
    std::size_t count = 0;
    while (count < bytes && destination_.data()[count] == std::byte{0xa5}) {
      ++count;
    }
    return count;
  }

  cudaGraphNode_t node_ = nullptr;
  std::unique_ptr<ExecutableGraph> executable_;
};

TEST_F(UpdatedCopy, CopiesAsMuchAsTheUpdateSays) {
  ASSERT_EQ(update(node_, 5), cudaSuccess);
  (void)run(*executable_);
  EXPECT_EQ(copied(), 5U);
}

TEST_F(UpdatedCopy, OfNoBytesIsRefused) { EXPECT_EQ(update(node_, 0), cudaErrorInvalidValue); }

TEST_F(UpdatedCopy, OfAnotherGraphsNodeIsRefused) {
  const Graph other;
  EXPECT_EQ(update(add_copy(other.get()), 5), cudaErrorInvalidValue);
}

TEST_F(UpdatedCopy, LaunchesUnderWayStayAsTheyAre) {
  gate_.close(stream_);
  executable_->launch(stream_);
  ASSERT_EQ(update(node_, 5), cudaSuccess);
  (void)gate_.open();
  stream_.sync();
  EXPECT_EQ(copied(), bytes);
}

}  // namespace
}  // namespace copybench
