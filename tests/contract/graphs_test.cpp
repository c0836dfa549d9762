// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <cstring>
#include <ostream>

#include "common/cuda/check.hpp"
#include "common/cuda/copy_api.hpp"
#include "tests/contract/contract.hpp"

namespace copybench {
namespace {

struct Size {
  const char* name;
  std::size_t bytes;
};
constexpr std::array sizes{Size{"4 KiB", std::size_t{4} << 10U},
                           Size{"1 MiB", std::size_t{1} << 20U}};

struct SourceCase {
  const char* name;
  MemoryKind kind;
};
std::ostream& operator<<(std::ostream& out, const SourceCase& tested) { return out << tested.name; }
constexpr std::array source_cases{SourceCase{"Pinned", MemoryKind::pinned},
                                  SourceCase{"Pageable", MemoryKind::pageable}};

class GraphSource : public Contract, public testing::WithParamInterface<SourceCase> {
 protected:
  static PreparedCopy graph_of(const Buffer& destination, const Buffer& source, StreamView stream) {
    return {CopyApi::graph_launch, destination.data(), source.data(),
            source.size(),         Direction::h2d,     stream};
  }
};

TEST_P(GraphSource, OverwrittenBeforeTheLaunch) {
  documented("copies when the graph is launched");
  Outcomes seen;
  for (const Size& size : sizes) {
    const Buffer source(GetParam().kind, size.bytes);
    const Buffer destination(MemoryKind::device, size.bytes);
    fill(source, old_byte);
    const PreparedCopy copy = graph_of(destination, source, stream_);
    fill(source, new_byte);
    copy();
    stream_.sync();
    seen.emplace_back(size.name, describe_arrival(destination));
    EXPECT_EQ(seen.back().second, "the new bytes arrived");
  }
  observed(describe(seen));
}

TEST_P(GraphSource, OverwrittenOnReturnOfTheLaunch) {
  documented("not documented");
  Outcomes seen;
  for (const Size& size : sizes) {
    const Buffer source(GetParam().kind, size.bytes);
    const Buffer destination(MemoryKind::device, size.bytes);
    const PreparedCopy copy = graph_of(destination, source, stream_);
    copy();  // the first launch of a graph sets things up
    stream_.sync();
    fill(source, old_byte);
    fill(destination, std::byte{0});
    gate_.close(stream_);
    const OpenOnExit guard(gate_);
    gate_.start_hold(long_hold);
    copy();
    const TimePoint returned = now();
    std::memset(source.data(), std::to_integer<int>(new_byte), size.bytes);
    const bool first = returned < gate_.open();
    stream_.sync();
    const std::string arrived = describe_arrival(destination);
    if (GetParam().kind == MemoryKind::pinned) {
      EXPECT_EQ(arrived, "the new bytes arrived") << size.name;
    }
    seen.emplace_back(size.name, arrived + ", the call " + describe_return(first));
  }
  observed(describe(seen));
}

INSTANTIATE_TEST_SUITE_P(Graphs, GraphSource, testing::ValuesIn(source_cases),
                         [](const auto& tested) { return tested.param.name; });

class Graphs : public Contract {
 protected:
  static constexpr std::size_t bytes = 4096;
  Graphs() {
    fill(source_, new_byte);
    fill(destination_, old_byte);
  }
  Buffer source_{MemoryKind::pinned, bytes};
  Buffer destination_{MemoryKind::device, bytes};
};

TEST_F(Graphs, DestroyedBeforeTheirLaunchHasRun) {
  documented("a launch that is under way completes");
  gate_.close(stream_);
  const OpenOnExit guard(gate_);
  gate_.start_hold(long_hold);
  {
    const PreparedCopy copy(CopyApi::graph_launch, destination_.data(), source_.data(), bytes,
                            Direction::h2d, stream_);
    copy();
  }
  (void)gate_.open();
  stream_.sync();
  EXPECT_TRUE(holds(destination_, new_byte));
  observed(describe_arrival(destination_));
}

TEST_F(Graphs, WithACopyOfZeroBytes) {
  documented("row 34: not supported, of updates; says nothing of new nodes");
  cudaGraph_t graph = nullptr;
  check(cudaGraphCreate(&graph, 0), "cudaGraphCreate");
  cudaGraphNode_t node = nullptr;
  observed(result_of(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, destination_.data(),
                                              source_.data(), 0, cudaMemcpyHostToDevice)));
  check(cudaGraphDestroy(graph), "cudaGraphDestroy");
}

}  // namespace
}  // namespace copybench
