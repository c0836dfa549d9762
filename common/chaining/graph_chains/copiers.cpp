// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/graph_chains/copiers.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "common/chaining/size_buckets.hpp"
#include "common/cuda/buffer.hpp"
#include "common/cuda/check.hpp"
#include "common/cuda/graph.hpp"

namespace copybench {
namespace {

class KernelCopier final : public CountedCopier {
 public:
  explicit KernelCopier(const CountedCopy& copy) : copy_(copy) {}
  void enqueue(StreamView stream) override { launch_counted_copy(stream, copy_); }

 private:
  CountedCopy copy_;
};

class GraphCopier : public CountedCopier {
 public:
  explicit GraphCopier(Graph graph) : graph_(std::move(graph)) {}
  void enqueue(StreamView stream) override { graph_.launch(stream); }

 protected:
  [[nodiscard]] const ExecutableGraph& graph() const { return graph_; }

 private:
  ExecutableGraph graph_;
};

#if CUDART_VERSION >= 12080
Graph switch_graph(const CountedCopy& copy) {
  Graph graph;
  const cudaGraphConditionalHandle condition = make_condition(graph.get());
  cudaGraphNode_t choice = add_choose_bucket(graph.get(), {}, copy, condition);
  (void)add_copy_past_bucket(graph.get(), {}, copy);
  const unsigned buckets = buckets_within(copy.capacity);
  // A capacity below the smallest bucket leaves one body, which stays empty.
  const std::span<cudaGraph_t> bodies = add_conditional_node(
      graph.get(), choice, condition, cudaGraphCondTypeSwitch, std::max(buckets, 1U));
  for (unsigned bucket = 0; bucket < buckets; ++bucket) {
    (void)add_copy_node(bodies[bucket], copy.destination, copy.source,
                        bucket_elements(bucket) * sizeof(double), cudaMemcpyDeviceToHost);
  }
  return graph;
}
#endif

Graph tile_graph(const CountedCopy& copy, std::uint32_t* tile) {
  Graph graph;
  const cudaGraphConditionalHandle condition = make_condition(graph.get());
  cudaGraphNode_t first = add_first_tile(graph.get(), {}, copy, tile, condition);
  cudaGraph_t body =
      add_conditional_node(graph.get(), first, condition, cudaGraphCondTypeWhile, 1).front();
  cudaGraphNode_t copied = add_copy_tile(body, {}, copy, tile);
  (void)add_next_tile(body, {&copied, 1}, copy, tile, condition);
  return graph;
}

// The number of the tile outlives the graph.
class TileNumber {
 protected:
  [[nodiscard]] std::uint32_t* tile() const {
    return reinterpret_cast<std::uint32_t*>(memory_.data());
  }

 private:
  Buffer memory_{MemoryKind::device, sizeof(std::uint32_t)};
};

class TileCopier final : private TileNumber, public GraphCopier {
 public:
  explicit TileCopier(const CountedCopy& copy) : GraphCopier(tile_graph(copy, tile())) {}
};

Graph planned_graph(const CountedCopy& copy) {
  Graph graph;
  add_planned_copy(graph.get(), copy);
  return graph;
}

class PlannedCopier final : public GraphCopier {
 public:
  explicit PlannedCopier(const CountedCopy& copy) : GraphCopier(planned_graph(copy)) {}
  void enqueue(StreamView stream) override {
    if (!uploaded_) {
      graph().upload(stream);
      uploaded_ = true;
    }
    GraphCopier::enqueue(stream);
  }

 private:
  bool uploaded_ = false;
};

}  // namespace

std::unique_ptr<CountedCopier> make_kernel_copier(const CountedCopy& copy) {
  return std::make_unique<KernelCopier>(copy);
}

std::unique_ptr<CountedCopier> make_switch_copier(const CountedCopy& copy) {
#if CUDART_VERSION >= 12080
  return std::make_unique<GraphCopier>(switch_graph(copy));
#else
  (void)copy;
  check(cudaErrorNotSupported, "cudaGraphAddNode");
  return nullptr;
#endif
}

std::unique_ptr<CountedCopier> make_tile_copier(const CountedCopy& copy) {
  return std::make_unique<TileCopier>(copy);
}

std::unique_ptr<CountedCopier> make_planned_copier(const CountedCopy& copy) {
  return std::make_unique<PlannedCopier>(copy);
}

}  // namespace copybench
