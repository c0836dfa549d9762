// SPDX-License-Identifier: Apache-2.0
// What every strategy delivers, the two wrong ones included.
#include "common/chaining/chain.hpp"

#include <chrono>
#include <memory>
#include <string>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "common/cuda/copy.hpp"
#include "common/measurement/gate.hpp"
#include "common/named_enum.hpp"
#include "tests/gpu/chain_memory.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

constexpr std::int32_t capacity = 4096;

std::string strategy_name(const testing::TestParamInfo<ChainStrategy>& tested) {
  return std::string(name_of(tested.param, chain_strategy_names));
}

class ChainOf : public testing::TestWithParam<ChainStrategy> {
 protected:
  void SetUp() override {
    int driver_version = 0;
    ASSERT_EQ(cudaDriverGetVersion(&driver_version), cudaSuccess);
    if (const auto lacking = lacks_chain_strategy(GetParam(), driver_version)) {
      GTEST_SKIP() << *lacking;
    }
    chain_ = make_chain(GetParam(), stream_);
  }

  void run(std::int32_t size, std::int32_t old_size) {
    memory_.prepare(size, old_size);
    chain_->start(memory_.request());
    chain_->finish();
    ASSERT_EQ(*memory_.host_size(), size);
  }

  static std::size_t expected(std::int32_t size) {
    return static_cast<std::size_t>(GetParam() == ChainStrategy::copy_capacity ? capacity : size);
  }

  ChainMemory memory_{capacity};
  Stream stream_{StreamKind::nonblocking};
  Gate gate_;
  std::unique_ptr<Chain> chain_;
};

class CorrectChain : public ChainOf {};

INSTANTIATE_TEST_SUITE_P(
    Every, CorrectChain,
    testing::Values(ChainStrategy::stream_sync, ChainStrategy::host_func_worker,
                    ChainStrategy::copy_capacity, ChainStrategy::device_copy_kernel,
                    ChainStrategy::graph_switch, ChainStrategy::graph_while_tiles,
                    ChainStrategy::graph_update, ChainStrategy::graph_device_update),
    strategy_name);

TEST_P(CorrectChain, DeliversWhatTheDeviceSays) {
  for (const std::int32_t size : {0, 1, 16, 1000, capacity - 1, capacity}) {
    for (const std::int32_t old_size : {0, 5, capacity}) {
      run(size, old_size);
      EXPECT_NO_THROW(memory_.require_delivered(expected(size))) << size << " after " << old_size;
    }
  }
  EXPECT_FALSE(chain_->refused());
}

TEST_P(CorrectChain, DeliversAThousandSizesInTurn) {
  std::int32_t old_size = 0;
  for (std::int32_t round = 0; round < 1000; ++round) {
    const std::int32_t size = round * 1597 % (capacity + 1);
    run(size, old_size);
    ASSERT_NO_THROW(memory_.require_delivered(expected(size))) << "round " << round;
    old_size = size;
  }
}

TEST_P(CorrectChain, WaitsForTheWorkBeforeIt) {
  memory_.prepare(1000, 7);
  gate_.close(stream_);
  gate_.start_hold(20ms);
  chain_->start(memory_.request());
  chain_->finish();
  const TimePoint finished = now();
  EXPECT_GT(finished, gate_.open());
  gate_.require_opened_by_host();
  EXPECT_NO_THROW(memory_.require_delivered(expected(1000)));
}

TEST_P(CorrectChain, FinishingTwiceIsHarmless) {
  run(16, 7);
  chain_->finish();
  EXPECT_NO_THROW(memory_.require_delivered(expected(16)));
}

TEST_P(CorrectChain, FinishingBeforeAnyStartReturns) { chain_->finish(); }

TEST_P(CorrectChain, BlocksTheHostInStartOnlyToLearnTheSize) {
  run(16, 7);  // whatever is made for a request is made now
  memory_.prepare(1000, 7);
  const bool blocks =
      GetParam() == ChainStrategy::stream_sync || GetParam() == ChainStrategy::graph_update;
  gate_.close(stream_);
  gate_.start_hold(blocks ? Nanoseconds(20ms) : Nanoseconds(2s));
  chain_->start(memory_.request());
  const TimePoint returned = now();
  const TimePoint opened_at = gate_.open();
  EXPECT_EQ(returned > opened_at, blocks);
  chain_->finish();
  gate_.require_opened_by_host();
  EXPECT_NO_THROW(memory_.require_delivered(expected(1000)));
}

class StaleArguments : public ChainOf {};

INSTANTIATE_TEST_SUITE_P(Every, StaleArguments, testing::Values(ChainStrategy::stale_arguments),
                         strategy_name);

TEST_P(StaleArguments, DeliverTheOldSize) {
  for (const std::int32_t size : {0, 1, 16, 1000, capacity}) {
    for (const std::int32_t old_size : {0, 2, 999, capacity}) {
      memory_.prepare(size, old_size);
      // Closed until the chain is enqueued, or a quick device would make the arguments fresh.
      gate_.close(stream_);
      chain_->start(memory_.request());
      (void)gate_.open();
      chain_->finish();
      EXPECT_EQ(*memory_.host_size(), size);
      EXPECT_NO_THROW(memory_.require_delivered(static_cast<std::size_t>(old_size)))
          << size << " after " << old_size;
    }
  }
}

class CallbackIllegal : public ChainOf {};

INSTANTIATE_TEST_SUITE_P(Every, CallbackIllegal, testing::Values(ChainStrategy::callback_illegal),
                         strategy_name);

TEST_P(CallbackIllegal, IsRefusedAndDeliversNothing) {
  for (const std::int32_t size : {1, 16, capacity}) {
    run(size, 7);
    EXPECT_TRUE(chain_->refused());
    EXPECT_NO_THROW(memory_.require_delivered(0)) << size;
  }
}

TEST_P(CallbackIllegal, LeavesTheStreamUsable) {
  run(16, 7);
  ASSERT_TRUE(chain_->refused());
  EXPECT_FALSE(context_is_lost());
  const std::unique_ptr<Chain> legal = make_chain(ChainStrategy::stream_sync, stream_);
  memory_.prepare(1000, 7);
  legal->start(memory_.request());
  legal->finish();
  EXPECT_NO_THROW(memory_.require_delivered(1000));
}

}  // namespace
}  // namespace copybench
