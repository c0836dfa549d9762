// SPDX-License-Identifier: Apache-2.0
// What every strategy delivers, the two wrong ones included.
#include "common/chaining/chain.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "common/cuda/copy.hpp"
#include "common/measurement/gate.hpp"
#include "common/named_enum.hpp"
#include "common/runtime.hpp"
#include "tests/gpu/chain_memory.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

constexpr std::int32_t capacity = 4096;

std::string strategy_name(const testing::TestParamInfo<ChainStrategy>& tested) {
  return std::string(name_of(tested.param, chain_strategy_names));
}

std::vector<ChainStrategy> correct_strategies() {
  std::vector<ChainStrategy> correct;
  for (std::size_t i = 0; i < chain_strategy_names.size(); ++i) {
    const auto strategy = static_cast<ChainStrategy>(i);
    if (is_correct(strategy)) {
      correct.push_back(strategy);
    }
  }
  return correct;
}

const std::set<ChainStrategy> speculative{ChainStrategy::speculative_top_up,
                                          ChainStrategy::offloaded_speculative};
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

  // What host memory says before is what a request expects: too little, too much, or right.
  static ChainRequest request(const ChainMemory& memory, std::int32_t size, std::int32_t old_size) {
    const bool knows = GetParam() == ChainStrategy::known_size;
    return memory.request(static_cast<std::size_t>(knows ? size : old_size));
  }

  void run(std::int32_t size, std::int32_t old_size) {
    memory_.prepare(size, old_size);
    chain_->start(request(memory_, size, old_size));
    chain_->finish();
    ASSERT_EQ(*memory_.host_size(), size);
  }

  static std::size_t delivered(std::int32_t size, std::int32_t old_size, std::int32_t most) {
    if (GetParam() == ChainStrategy::copy_capacity) {
      return static_cast<std::size_t>(most);
    }
    return static_cast<std::size_t>(speculative.contains(GetParam()) ? std::max(size, old_size)
                                                                     : size);
  }
  static std::size_t delivered(std::int32_t size, std::int32_t old_size) {
    return delivered(size, old_size, capacity);
  }

  ChainMemory memory_{capacity};
  Stream stream_{StreamKind::nonblocking};
  Gate gate_;
  std::unique_ptr<Chain> chain_;
};

class CorrectChain : public ChainOf {};

INSTANTIATE_TEST_SUITE_P(Every, CorrectChain, testing::ValuesIn(correct_strategies()),
                         strategy_name);

TEST_P(CorrectChain, DeliversWhatTheDeviceSays) {
  for (const std::int32_t size : {0, 1, 16, 1000, capacity - 1, capacity}) {
    for (const std::int32_t old_size : {0, 5, capacity}) {
      run(size, old_size);
      EXPECT_NO_THROW(memory_.require_delivered(delivered(size, old_size)))
          << size << " after " << old_size;
    }
  }
  EXPECT_FALSE(chain_->refused());
}

TEST_P(CorrectChain, SaysWhetherItWritesPastTheSize) {
  run(16, 1000);
  if (may_write_past_size(GetParam())) {
    EXPECT_THROW(memory_.require_delivered(16), VerificationError);
  } else {
    EXPECT_NO_THROW(memory_.require_delivered(16));
  }
}

// A round on the simulator takes so long that the usual run has fewer of them. There
// COPYBENCH_CHAIN_ROUNDS says how many.
std::int32_t rounds_in_turn() {
  constexpr std::int32_t on_a_gpu = 10'000;
  constexpr std::int32_t on_the_simulator = 300;
  if (!simulated_machine()) {
    return on_a_gpu;
  }
  const char* const wanted = std::getenv("COPYBENCH_CHAIN_ROUNDS");
  return wanted == nullptr ? on_the_simulator : std::stoi(wanted);
}

// All sizes are on the device before the first round, or preparing would take longer than
// the chains.
TEST_P(CorrectChain, DeliversThousandsOfSizesInTurn) {
  const std::int32_t rounds = rounds_in_turn();
  constexpr std::int32_t most = 64;
  constexpr std::ptrdiff_t room = std::ptrdiff_t{2} * most;
  constexpr double untouched = -1;
  std::vector<std::int32_t> sizes_in_turn(static_cast<std::size_t>(rounds));
  std::vector<double> values(most);
  for (std::int32_t i = 0; i < rounds; ++i) {
    sizes_in_turn[static_cast<std::size_t>(i)] = i * 1597 % (most + 1);
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<double>(i) + 1;
  }
  const Buffer device_sizes(MemoryKind::device, sizes_in_turn.size() * sizeof(std::int32_t));
  const Buffer device_data(MemoryKind::device, most * sizeof(double));
  const Buffer host_size(MemoryKind::pinned, sizeof(std::int32_t));
  const Buffer host_data(MemoryKind::pinned, static_cast<std::size_t>(room) * sizeof(double));
  copy_any(device_sizes.data(), reinterpret_cast<const std::byte*>(sizes_in_turn.data()),
           device_sizes.size());
  copy_any(device_data.data(), reinterpret_cast<const std::byte*>(values.data()),
           device_data.size());
  auto* const arrived = reinterpret_cast<double*>(host_data.data());
  auto* const arrived_size = reinterpret_cast<std::int32_t*>(host_size.data());

  std::int32_t old_size = 0;
  for (std::int32_t round = 0; round < rounds; ++round) {
    std::fill_n(arrived, room, untouched);
    const std::int32_t size = sizes_in_turn[static_cast<std::size_t>(round)];
    *arrived_size = old_size;
    const bool knows = GetParam() == ChainStrategy::known_size;
    chain_->start({reinterpret_cast<const std::int32_t*>(device_sizes.data()) + round, arrived_size,
                   reinterpret_cast<const double*>(device_data.data()), arrived, most,
                   static_cast<std::size_t>(knows ? size : old_size)});
    chain_->finish();
    ASSERT_EQ(*arrived_size, size) << "round " << round;
    const std::size_t count = delivered(size, old_size, most);
    ASSERT_TRUE(std::equal(arrived, arrived + count, values.begin())) << "round " << round;
    ASSERT_EQ(std::count(arrived + count, arrived + room, untouched),
              room - static_cast<std::ptrdiff_t>(count))
        << "round " << round;
    old_size = size;
  }
}

TEST_P(CorrectChain, WaitsForTheWorkBeforeIt) {
  memory_.prepare(1000, 7);
  gate_.close(stream_);
  gate_.start_hold(20ms);
  chain_->start(request(memory_, 1000, 7));
  chain_->finish();
  const TimePoint finished = now();
  EXPECT_GT(finished, gate_.open());
  gate_.require_opened_by_host();
  EXPECT_NO_THROW(memory_.require_delivered(delivered(1000, 7)));
}

TEST_P(CorrectChain, FinishingTwiceIsHarmless) {
  run(16, 7);
  chain_->finish();
  EXPECT_NO_THROW(memory_.require_delivered(delivered(16, 7)));
}

TEST_P(CorrectChain, FinishingBeforeAnyStartReturns) { chain_->finish(); }

TEST_P(CorrectChain, FinishingOnceMoreAsksForNothing) {
  run(16, 7);
  *memory_.host_size() = capacity + 1;  // the caller's again, for whatever it likes
  EXPECT_NO_THROW(chain_->finish());
}

TEST_P(CorrectChain, OnlyThoseThatWaitForTheSizeBlockTheHostInStart) {
  run(16, 7);  // whatever is made for a request is made now
  memory_.prepare(1000, 7);
  const bool blocks = waits_in_start(GetParam());
  gate_.close(stream_);
  gate_.start_hold(blocks ? Nanoseconds(20ms) : Nanoseconds(2s));
  chain_->start(request(memory_, 1000, 7));
  const TimePoint returned = now();
  const TimePoint opened_at = gate_.open();
  EXPECT_EQ(returned > opened_at, blocks);
  chain_->finish();
  gate_.require_opened_by_host();
  EXPECT_NO_THROW(memory_.require_delivered(delivered(1000, 7)));
}

TEST_P(CorrectChain, SeveralAtOnceKeepApart) {
  struct InFlight {
    ChainMemory memory{capacity};
    Stream stream{StreamKind::nonblocking};
    std::unique_ptr<Chain> chain = make_chain(GetParam(), stream);
  };
  std::vector<std::unique_ptr<InFlight>> all(4);
  std::ranges::generate(all, [] { return std::make_unique<InFlight>(); });
  for (std::int32_t round = 0; round < 6; ++round) {
    const auto size_of = [&](std::size_t i) {
      return (round * 411 + static_cast<std::int32_t>(i) * 1000) % (capacity + 1);
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i]->memory.prepare(size_of(i), round);
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i]->chain->start(request(all[i]->memory, size_of(i), round));
    }
    // Not in the order in which they were started.
    for (std::size_t i = all.size(); i-- > 0;) {
      all[i]->chain->finish();
      EXPECT_EQ(*all[i]->memory.host_size(), size_of(i));
      EXPECT_NO_THROW(all[i]->memory.require_delivered(delivered(size_of(i), round)))
          << "chain " << i << ", round " << round;
    }
  }
}

TEST_P(CorrectChain, DestroyingItFinishesTheRequestInFlight) {
  memory_.prepare(1000, 7);
  gate_.close(stream_);
  gate_.start_hold(20ms);
  chain_->start(request(memory_, 1000, 7));
  chain_.reset();
  const TimePoint destroyed = now();
  EXPECT_GT(destroyed, gate_.open());
  gate_.require_opened_by_host();
  // Without any further wait: the memory is the caller's again.
  EXPECT_NO_THROW(memory_.require_delivered(delivered(1000, 7)));
}

TEST_P(CorrectChain, DestroyingItRightAfterTheStartDoesToo) {
  for (std::int32_t i = 0; i < 20; ++i) {
    chain_ = make_chain(GetParam(), stream_);
    memory_.prepare(i, 7);
    chain_->start(request(memory_, i, 7));
    chain_.reset();
    ASSERT_NO_THROW(memory_.require_delivered(delivered(i, 7))) << "round " << i;
  }
}

TEST_P(CorrectChain, DestroyingAnIdleOneReturns) {
  for (int i = 0; i < 20; ++i) {
    chain_ = make_chain(GetParam(), stream_);
  }
}

TEST_P(CorrectChain, FinishMayComeLongAfterTheSize) {
  memory_.prepare(1000, 7);
  chain_->start(request(memory_, 1000, 7));
  std::this_thread::sleep_for(30ms);
  chain_->finish();
  EXPECT_NO_THROW(memory_.require_delivered(delivered(1000, 7)));
}

// Those in which the host reads the size before it enqueues the second copy.
class SizeReadingChain : public ChainOf {};

std::vector<ChainStrategy> size_reading_strategies() {
  return {ChainStrategy::stream_sync,           ChainStrategy::event_sync_spin,
          ChainStrategy::event_sync_blocking,   ChainStrategy::host_func_worker,
          ChainStrategy::host_func_atomic_wait, ChainStrategy::host_func_spin,
          ChainStrategy::event_poll_worker,     ChainStrategy::write_value_worker,
          ChainStrategy::write_value_spin,      ChainStrategy::mapped_size_worker,
          ChainStrategy::mapped_size_shared,    ChainStrategy::event_poll_spin,
          ChainStrategy::mapped_size_spin,      ChainStrategy::speculative_top_up,
          ChainStrategy::offloaded_sync,        ChainStrategy::offloaded_speculative};
}

INSTANTIATE_TEST_SUITE_P(Every, SizeReadingChain, testing::ValuesIn(size_reading_strategies()),
                         strategy_name);

TEST_P(SizeReadingChain, RefusesASizeThatNoCopyCanHaveAndTheNextChainWorks) {
  for (const std::int32_t size : {-1, capacity + 1}) {
    memory_.prepare(size, 7);
    try {
      chain_->start(request(memory_, size, 7));
      chain_->finish();
      FAIL() << "did not throw";
    } catch (const std::out_of_range& error) {
      EXPECT_EQ(std::string(error.what()), "the device asks for " + std::to_string(size) +
                                               " elements where there is room for 4096");
    }
    run(1000, 7);
    EXPECT_NO_THROW(memory_.require_delivered(delivered(1000, 7)));
  }
}

// The host function that has told of the size may not be over yet.
TEST_P(SizeReadingChain, CanBeDestroyedRightAfterASizeThatItRefuses) {
  for (int i = 0; i < 50; ++i) {
    chain_ = make_chain(GetParam(), stream_);
    memory_.prepare(-1, 7);
    EXPECT_THROW(
        {
          chain_->start(request(memory_, -1, 7));
          chain_->finish();
        },
        std::out_of_range);
    EXPECT_TRUE(StreamView(stream_).is_done());
    chain_.reset();
  }
}

// Two copies are two calls, of which one may be refused.
std::vector<ChainStrategy> strategies_of_two_copies() {
  std::vector<ChainStrategy> strategies = correct_strategies();
  std::erase_if(strategies, [](ChainStrategy strategy) {
    return strategy == ChainStrategy::device_copy_kernel ||
           strategy == ChainStrategy::graph_switch ||
           strategy == ChainStrategy::graph_while_tiles ||
           strategy == ChainStrategy::graph_device_update;
  });
  return strategies;
}

class ChainOfTwoCopies : public ChainOf {};

INSTANTIATE_TEST_SUITE_P(Every, ChainOfTwoCopies, testing::ValuesIn(strategies_of_two_copies()),
                         strategy_name);

TEST_P(ChainOfTwoCopies, AHalfThatIsRefusedLeavesNoOtherInFlight) {
  memory_.prepare(5, 7);
  ChainRequest refused = request(memory_, 5, 7);
  refused.device_data = nullptr;
  gate_.close(stream_);
  gate_.start_hold(20ms);
  EXPECT_THROW(
      {
        chain_->start(refused);
        chain_->finish();
      },
      CudaError);
  EXPECT_EQ(cudaStreamQuery(stream_.get()), cudaSuccess);
  (void)gate_.open();
  gate_.require_opened_by_host();
  EXPECT_EQ(*memory_.host_size(), 5);
  run(1000, 7);
  EXPECT_NO_THROW(memory_.require_delivered(delivered(1000, 7)));
}

TEST(ChainWithAThread, RefusesAStreamThatIsAnotherInThatThread) {
  const Stream per_thread(StreamKind::per_thread);
  for (const ChainStrategy strategy :
       {ChainStrategy::offloaded_sync, ChainStrategy::offloaded_speculative,
        ChainStrategy::host_func_worker, ChainStrategy::host_func_atomic_wait,
        ChainStrategy::host_func_spin, ChainStrategy::event_poll_worker,
        ChainStrategy::write_value_worker, ChainStrategy::mapped_size_worker,
        ChainStrategy::mapped_size_shared}) {
    EXPECT_THROW((void)make_chain(strategy, per_thread), std::invalid_argument);
  }
  EXPECT_NO_THROW((void)make_chain(ChainStrategy::mapped_size_spin, per_thread));
}

TEST(KnownSizeChain, DoesNotTakeAHugeNumberForASmallOne) {
  const Stream stream(StreamKind::nonblocking);
  const auto chain = make_chain(ChainStrategy::known_size, stream);
  const Buffer host(MemoryKind::pinned, 1024);
  const Buffer device(MemoryKind::device, 1024);
  ChainRequest request{.device_size = reinterpret_cast<std::int32_t*>(device.data()),
                       .host_size = reinterpret_cast<std::int32_t*>(host.data()),
                       .device_data = reinterpret_cast<double*>(device.data()),
                       .host_data = reinterpret_cast<double*>(host.data() + 512),
                       .capacity = 16};
  for (const std::size_t expected :
       {std::size_t{17}, std::size_t{1} << 31U, (std::size_t{1} << 32U) + 5}) {
    request.expected = expected;
    EXPECT_THROW(chain->start(request), std::out_of_range);
  }
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

TEST_P(CallbackIllegal, FinishesNothingBeforeAnyStart) { EXPECT_NO_THROW(chain_->finish()); }

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
