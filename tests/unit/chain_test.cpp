// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/chain.hpp"

#include <cstdint>
#include <stdexcept>

#include <gtest/gtest.h>

#include "common/kernels.hpp"

namespace copybench {
namespace {

constexpr std::size_t size = 5;
constexpr std::size_t old_size = 2;
constexpr std::size_t capacity = 100;

TEST(ElementsDelivered, StaleArgumentsDeliverTheOldSize) {
  EXPECT_EQ(elements_delivered(ChainStrategy::stale_arguments, size, old_size, capacity), 2U);
  EXPECT_EQ(elements_delivered(ChainStrategy::stale_arguments, 5, 7, capacity), 7U);
  EXPECT_EQ(elements_delivered(ChainStrategy::stale_arguments, 5, 0, capacity), 0U);
}

TEST(ElementsDelivered, ARefusedCallbackDeliversNothing) {
  EXPECT_EQ(elements_delivered(ChainStrategy::callback_illegal, size, old_size, capacity), 0U);
}

TEST(ElementsDelivered, CorrectStrategiesDeliverTheSize) {
  EXPECT_EQ(elements_delivered(ChainStrategy::stream_sync, size, old_size, capacity), 5U);
  EXPECT_EQ(elements_delivered(ChainStrategy::host_func_worker, size, old_size, capacity), 5U);
  EXPECT_EQ(elements_delivered(ChainStrategy::stream_sync, 0, old_size, capacity), 0U);
  EXPECT_EQ(elements_delivered(ChainStrategy::device_copy_kernel, size, old_size, capacity), 5U);
  EXPECT_EQ(elements_delivered(ChainStrategy::graph_switch, size, old_size, capacity), 5U);
  EXPECT_EQ(elements_delivered(ChainStrategy::graph_while_tiles, size, old_size, capacity), 5U);
  EXPECT_EQ(elements_delivered(ChainStrategy::graph_update, size, old_size, capacity), 5U);
  EXPECT_EQ(elements_delivered(ChainStrategy::graph_device_update, size, old_size, capacity), 5U);
}

TEST(ElementsDelivered, CopyCapacityDeliversTheCapacity) {
  EXPECT_EQ(elements_delivered(ChainStrategy::copy_capacity, size, old_size, capacity), 100U);
}

TEST(ElementsDelivered, SpeculationDeliversWhatWasExpectedAndTheRest) {
  for (const ChainStrategy strategy :
       {ChainStrategy::speculative_top_up, ChainStrategy::offloaded_speculative}) {
    EXPECT_EQ(elements_delivered(strategy, 5, 2, 100, 3), 5U);
    EXPECT_EQ(elements_delivered(strategy, 5, 2, 100, 8), 8U);
    EXPECT_EQ(elements_delivered(strategy, 5, 2, 100, 1000), 100U);
    EXPECT_EQ(elements_delivered(strategy, 0, 2, 100), 0U);
  }
  EXPECT_EQ(elements_delivered(ChainStrategy::mapped_size_shared, 5, 2, 100, 8), 5U);
}

TEST(ElementsDelivered, ThrowsForNoStrategy) {
  EXPECT_THROW((void)elements_delivered(static_cast<ChainStrategy>(99), size, old_size, capacity),
               std::invalid_argument);
}

TEST(IsCorrect, NamesTheTwoThatAreNot) {
  EXPECT_FALSE(is_correct(ChainStrategy::stale_arguments));
  EXPECT_FALSE(is_correct(ChainStrategy::callback_illegal));
  EXPECT_TRUE(is_correct(ChainStrategy::stream_sync));
  EXPECT_TRUE(is_correct(ChainStrategy::host_func_worker));
  EXPECT_TRUE(is_correct(ChainStrategy::copy_capacity));
  EXPECT_TRUE(is_correct(ChainStrategy::known_size));
  EXPECT_TRUE(is_correct(ChainStrategy::offloaded_speculative));
  EXPECT_TRUE(is_correct(ChainStrategy::device_copy_kernel));
  EXPECT_TRUE(is_correct(ChainStrategy::graph_switch));
  EXPECT_TRUE(is_correct(ChainStrategy::graph_while_tiles));
  EXPECT_TRUE(is_correct(ChainStrategy::graph_update));
  EXPECT_TRUE(is_correct(ChainStrategy::graph_device_update));
}

TEST(PublishedWord, HoldsAnySizeAndNumber) {
  for (const std::int32_t published : {0, 1, -1, INT32_MAX, INT32_MIN}) {
    for (const std::uint32_t number : {0U, 1U, UINT32_MAX}) {
      const std::uint64_t word = published_word(published, number);
      EXPECT_EQ(published_size(word), published);
      EXPECT_EQ(published_number(word), number);
    }
  }
}

TEST(LacksChainStrategy, IsAMatterOfVersions) {
  EXPECT_FALSE(lacks_chain_strategy(ChainStrategy::stream_sync, 12000));
  EXPECT_FALSE(lacks_chain_strategy(ChainStrategy::device_copy_kernel, 12000));
  EXPECT_FALSE(lacks_chain_strategy(ChainStrategy::graph_update, 12000));
  EXPECT_TRUE(lacks_chain_strategy(ChainStrategy::graph_while_tiles, 12030));
  EXPECT_FALSE(lacks_chain_strategy(ChainStrategy::graph_while_tiles, 12040));
  EXPECT_TRUE(lacks_chain_strategy(ChainStrategy::graph_device_update, 12030));
  EXPECT_EQ(lacks_chain_strategy(ChainStrategy::graph_switch, 12070),
            "needs CUDA 12.8, which the toolkit or the driver lacks");
}

}  // namespace
}  // namespace copybench
