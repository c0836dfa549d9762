// SPDX-License-Identifier: Apache-2.0
// What can go wrong when a second thread enqueues the second copy.
#include "common/chaining/worker_chain.hpp"

#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "common/measurement/gate.hpp"
#include "tests/gpu/chain_memory.hpp"
#include "tests/gpu/trap.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

constexpr std::size_t capacity = 4096;

class WorkerChainTest : public testing::Test {
 protected:
  ChainMemory memory_{capacity};
  Stream stream_{StreamKind::nonblocking};
  Gate gate_;
  std::unique_ptr<WorkerChain> chain_ = std::make_unique<WorkerChain>(stream_);
};

TEST_F(WorkerChainTest, DestroyingItWaitsForTheChainInFlight) {
  memory_.prepare(1000, 7);
  gate_.close(stream_);
  chain_->start(memory_.request());
  gate_.start_hold(20ms);
  chain_.reset();
  const TimePoint destroyed = now();
  EXPECT_GT(destroyed, gate_.open());
  gate_.require_opened_by_host();
  // Without any further wait: the memory is the caller's again.
  EXPECT_NO_THROW(memory_.require_delivered(1000));
}

TEST_F(WorkerChainTest, DestroyingItRightAfterTheStartWaitsToo) {
  for (int i = 0; i < 200; ++i) {
    chain_ = std::make_unique<WorkerChain>(stream_);
    memory_.prepare(i, 7);
    chain_->start(memory_.request());
    chain_.reset();
    ASSERT_NO_THROW(memory_.require_delivered(static_cast<std::size_t>(i))) << "round " << i;
  }
}

TEST_F(WorkerChainTest, DestroyingAnIdleOneReturns) {
  for (int i = 0; i < 200; ++i) {
    chain_ = std::make_unique<WorkerChain>(stream_);
  }
}

TEST_F(WorkerChainTest, FinishMayComeLongAfterTheCopies) {
  memory_.prepare(1000, 7);
  chain_->start(memory_.request());
  std::this_thread::sleep_for(30ms);
  chain_->finish();
  EXPECT_NO_THROW(memory_.require_delivered(1000));
}

TEST_F(WorkerChainTest, SeveralServeOneAfterAnother) {
  const Stream other_stream(StreamKind::nonblocking);
  ChainMemory other_memory(capacity);
  WorkerChain other(other_stream);
  for (std::int32_t i = 0; i < 100; ++i) {
    memory_.prepare(i, 7);
    other_memory.prepare(2 * i, 7);
    chain_->start(memory_.request());
    other.start(other_memory.request());
    other.finish();
    chain_->finish();
    ASSERT_NO_THROW(memory_.require_delivered(static_cast<std::size_t>(i)));
    ASSERT_NO_THROW(other_memory.require_delivered(2 * static_cast<std::size_t>(i)));
  }
}

// A size that no copy can have: the worker refuses it, on its own thread.
TEST_F(WorkerChainTest, AFailureOnTheWorkerReachesFinishAndTheNextChainWorks) {
  memory_.prepare(-1, 7);
  chain_->start(memory_.request());
  try {
    chain_->finish();
    FAIL() << "did not throw";
  } catch (const std::out_of_range& error) {
    EXPECT_NE(std::string(error.what()).find("more than the capacity"), std::string::npos);
  }
  memory_.prepare(1000, 7);
  chain_->start(memory_.request());
  chain_->finish();
  EXPECT_NO_THROW(memory_.require_delivered(1000));
}

// Runs in a process of its own. CUDA does not call the host function after a failure, so nobody
// wakes the worker.
[[noreturn]] void fail_before_the_chain() {
  alarm(30);
  ChainMemory memory(capacity);
  memory.prepare(1000, 7);
  const Stream stream(StreamKind::nonblocking);
  auto chain = std::make_unique<WorkerChain>(stream);
  launch_timed_gate(stream, 50'000'000);  // the failure comes when the chain is enqueued already
  launch_trap(stream);
  chain->start(memory.request());
  const TimePoint begin = now();
  try {
    chain->finish();
    _exit(2);
  } catch (const CudaError& error) {
    (void)std::fprintf(stderr, "finish threw: %s\n", error.what());
  }
  if (now() - begin > 1s) {
    _exit(3);
  }
  chain.reset();
  _exit(now() - begin > 1s ? 4 : 0);
}

TEST(WorkerChainDeathTest, AnEarlierFailureReachesFinishWithinASecond) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(fail_before_the_chain(), testing::ExitedWithCode(0),
              "finish threw: cuda[A-Za-z]+: cudaError");
}

// Runs in a process of its own.
[[noreturn]] void fail_and_destroy() {
  alarm(30);
  ChainMemory memory(capacity);
  memory.prepare(1000, 7);
  const Stream stream(StreamKind::nonblocking);
  auto chain = std::make_unique<WorkerChain>(stream);
  launch_timed_gate(stream, 50'000'000);
  launch_trap(stream);
  chain->start(memory.request());
  const TimePoint begin = now();
  chain.reset();
  _exit(now() - begin > 1s ? 4 : 0);
}

TEST(WorkerChainDeathTest, AnEarlierFailureDoesNotHoldUpTheDestructor) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(fail_and_destroy(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace copybench
