// SPDX-License-Identifier: Apache-2.0
// What the strategies promise beyond delivering: several at once, requests in turn, errors, and an
// early end. Each of them is one that make_chain() knows.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "common/chaining/chain.hpp"
#include "common/chaining/size_buckets.hpp"
#include "common/measurement/gate.hpp"
#include "common/named_enum.hpp"
#include "tests/gpu/chain_memory.hpp"
#include "tests/gpu/trap.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

// Several buckets of graph_switch, and more than one tile of graph_while_tiles.
constexpr std::int32_t large_capacity = 300'000;
constexpr std::size_t small_capacity = 1000;

class DeviceChain : public testing::TestWithParam<ChainStrategy> {
 protected:
  void SetUp() override {
    int driver_version = 0;
    ASSERT_EQ(cudaDriverGetVersion(&driver_version), cudaSuccess);
    if (const auto lacking = lacks_chain_strategy(GetParam(), driver_version)) {
      GTEST_SKIP() << *lacking;
    }
    chain_ = make_chain(GetParam(), stream_);
  }

  static void run(Chain& chain, ChainMemory& memory, std::int32_t size, std::int32_t old_size) {
    memory.prepare(size, old_size);
    chain.start(memory.request());
    chain.finish();
    ASSERT_EQ(*memory.host_size(), size);
    ASSERT_NO_THROW(memory.require_delivered(static_cast<std::size_t>(size))) << size;
  }

  Stream stream_{StreamKind::nonblocking};
  Gate gate_;
  std::unique_ptr<Chain> chain_;
};

INSTANTIATE_TEST_SUITE_P(
    Every, DeviceChain,
    testing::Values(ChainStrategy::device_copy_kernel, ChainStrategy::graph_switch,
                    ChainStrategy::graph_while_tiles, ChainStrategy::graph_update,
                    ChainStrategy::graph_device_update),
    [](const auto& tested) { return std::string(name_of(tested.param, chain_strategy_names)); });

TEST_P(DeviceChain, DeliversSizesAtTheEdgesOfBucketsAndTiles) {
  ChainMemory memory(large_capacity);
  std::int32_t old_size = 7;
  for (const std::int32_t edge : {4096, 6144, 8192, 98304, 131072, 196608, 262144}) {
    for (const std::int32_t size : {edge - 1, edge, edge + 1}) {
      run(*chain_, memory, size, old_size);
      old_size = size;
    }
  }
  run(*chain_, memory, large_capacity, old_size);
  run(*chain_, memory, 0, large_capacity);
}

// As when a program has buffers in turn; more of them than a chain keeps in mind.
TEST_P(DeviceChain, ServesRequestsInTurn) {
  std::vector<std::unique_ptr<ChainMemory>> memories;
  for (int i = 0; i < 10; ++i) {
    memories.push_back(std::make_unique<ChainMemory>(small_capacity));
  }
  for (std::int32_t round = 0; round < 30; ++round) {
    run(*chain_, *memories[static_cast<std::size_t>(round) % memories.size()], round * 31, 7);
  }
}

TEST_P(DeviceChain, SeveralAreInFlightAtOnce) {
  constexpr std::size_t count = 8;
  std::vector<Stream> streams;
  std::vector<std::unique_ptr<Chain>> chains;
  std::vector<std::unique_ptr<ChainMemory>> memories;
  for (std::size_t i = 0; i < count; ++i) {
    chains.push_back(make_chain(GetParam(), streams.emplace_back(StreamKind::nonblocking)));
    memories.push_back(std::make_unique<ChainMemory>(small_capacity));
  }
  for (std::size_t round = 0; round < 20; ++round) {
    const auto size = [round](std::size_t i) { return (round * count + i) * 37 % small_capacity; };
    for (std::size_t i = 0; i < count; ++i) {
      memories[i]->prepare(static_cast<std::int32_t>(size(i)), 7);
    }
    for (std::size_t i = 0; i < count; ++i) {
      chains[i]->start(memories[i]->request());
    }
    for (std::size_t i = count; i-- > 0;) {
      chains[i]->finish();
      ASSERT_EQ(static_cast<std::size_t>(*memories[i]->host_size()), size(i));
      ASSERT_NO_THROW(memories[i]->require_delivered(size(i))) << "round " << round;
    }
  }
}

// The size has to be the one that is there when the producer is done, not when the chain starts.
TEST_P(DeviceChain, ReadsTheSizeBehindTheProducer) {
  ChainMemory memory(small_capacity);
  run(*chain_, memory, 16, 7);  // whatever is made for a request is made now
  for (const std::int32_t size : {0, 1, 999}) {
    memory.prepare(500, 7);
    const OpenOnExit guard(gate_);
    gate_.close(stream_, [&](GateFlags* flags, std::uint64_t timeout_ns) {
      // What the chain reads, the producer may write.
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
      auto* const destination = const_cast<std::int32_t*>(memory.request().device_size);
      launch_gated_size_producer(stream_, flags, timeout_ns, size, destination);
    });
    gate_.start_hold(20ms);
    chain_->start(memory.request());
    (void)gate_.open();
    chain_->finish();
    EXPECT_EQ(*memory.host_size(), size);
    EXPECT_NO_THROW(memory.require_delivered(static_cast<std::size_t>(size))) << size;
  }
}

TEST_P(DeviceChain, AnImpossibleSizeIsRefusedAndCopiesNothing) {
  ChainMemory memory(small_capacity);
  for (const std::int32_t size : {-1, static_cast<std::int32_t>(small_capacity) + 1}) {
    memory.prepare(size, 7);
    try {
      // Whoever waits for the size in start() knows it there.
      chain_->start(memory.request());
      chain_->finish();
      FAIL() << "did not throw";
    } catch (const std::out_of_range& error) {
      EXPECT_EQ(std::string(error.what()), "the device asks for " + std::to_string(size) +
                                               " elements where there is room for 1000");
    }
    EXPECT_NO_THROW(memory.require_delivered(0)) << size;
  }
  run(*chain_, memory, 999, 7);
}

TEST_P(DeviceChain, DestroyingItWaitsForTheChainInFlight) {
  ChainMemory memory(small_capacity);
  for (std::int32_t i = 0; i < 50; ++i) {
    chain_ = make_chain(GetParam(), stream_);
    memory.prepare(i * 19, 7);
    chain_->start(memory.request());
    chain_.reset();
    // Without any further wait: the memory is the caller's again.
    ASSERT_NO_THROW(memory.require_delivered(static_cast<std::size_t>(i) * 19)) << "round " << i;
  }
}

TEST_P(DeviceChain, DestroyingItBehindAGateWaitsForTheGate) {
  ChainMemory memory(small_capacity);
  run(*chain_, memory, 16, 7);
  memory.prepare(999, 7);
  const OpenOnExit guard(gate_);
  gate_.close(stream_);
  gate_.start_hold(20ms);
  chain_->start(memory.request());
  chain_.reset();
  const TimePoint destroyed = now();
  EXPECT_GT(destroyed, gate_.open());
  EXPECT_NO_THROW(memory.require_delivered(999));
}

// Runs in a process of its own, in which the producer fails when the chain is enqueued already.
[[noreturn]] void fail_in_the_producer(ChainStrategy strategy, bool finishes) {
  alarm(30);
  ChainMemory memory(small_capacity);
  memory.prepare(999, 7);
  const Stream stream(StreamKind::nonblocking);
  auto chain = make_chain(strategy, stream);
  chain->start(memory.request());
  chain->finish();
  launch_timed_gate(stream, 50'000'000);
  launch_trap(stream);
  const TimePoint begin = now();
  try {
    chain->start(memory.request());
    if (finishes) {
      chain->finish();
      _exit(2);
    }
  } catch (const CudaError& error) {
    (void)std::fprintf(stderr, "the chain threw: %s\n", error.what());
  }
  chain.reset();
  _exit(now() - begin > 5s ? 3 : 0);
}

class DeviceChainDeathTest : public DeviceChain {};

INSTANTIATE_TEST_SUITE_P(
    Every, DeviceChainDeathTest,
    testing::Values(ChainStrategy::device_copy_kernel, ChainStrategy::graph_switch,
                    ChainStrategy::graph_while_tiles, ChainStrategy::graph_update,
                    ChainStrategy::graph_device_update),
    [](const auto& tested) { return std::string(name_of(tested.param, chain_strategy_names)); });

TEST_P(DeviceChainDeathTest, AFailureOfTheProducerReachesWhoeverWaits) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(fail_in_the_producer(GetParam(), true), testing::ExitedWithCode(0),
              "the chain threw: cuda[A-Za-z]+: cudaError");
}

TEST_P(DeviceChainDeathTest, AFailureOfTheProducerDoesNotHoldUpTheDestructor) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(fail_in_the_producer(GetParam(), false), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace copybench
