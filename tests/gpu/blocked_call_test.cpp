// SPDX-License-Identifier: Apache-2.0
// The figures and the verdict of calls whose waiting is known.
#include "common/measurement/blocked_call.hpp"

#include <array>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "common/kernels.hpp"
#include "common/measurement/statistics.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;

constexpr std::size_t samples = 5;
// Long enough that a call which does not wait is back in time on a busy machine as well.
constexpr std::size_t bytes_for_long_hold = 200'000'000;
using Call = std::function<void()>;

class BlockedCallTest : public testing::Test {
 protected:
  // What so many samples of the call come to.
  struct Result {
    std::vector<Summary> summaries;
    Findings findings;
  };
  Result measure(Queue queue, StreamView stream, const Call& call) {
    BlockedCall blocked(queue, stream, elsewhere_, gate_);
    blocked.choose_hold(bytes_for_long_hold, call);
    const std::size_t figures = blocked.figures().size();
    std::vector<std::vector<Nanoseconds>> taken(figures);
    for (std::size_t i = 0; i < samples; ++i) {
      std::vector<Nanoseconds> durations(figures);
      blocked.sample(durations, call);
      for (std::size_t figure = 0; figure < figures; ++figure) {
        EXPECT_GE(durations[figure], Nanoseconds{0}) << blocked.figures()[figure];
        taken[figure].push_back(durations[figure]);
      }
      EXPECT_LE(durations[0], durations[1]) << "the stream is drained after the call";
    }
    Result result;
    for (auto& durations : taken) {
      result.summaries.push_back(summarize(durations));
    }
    result.findings = blocked.conclude(result.summaries);
    return result;
  }
  static double counter(const Result& result, const std::string& name) {
    const auto found = result.findings.counters.find(name);
    return found == result.findings.counters.end() ? -1 : found->second;
  }

  Stream stream_{StreamKind::nonblocking};
  Stream elsewhere_{StreamKind::blocking};
  Gate gate_;

  const Call returns_at_once_ = [this] { launch_timed_gate(stream_, 0); };
  const Call works_for_10_ms_ = [this] { launch_timed_gate(stream_, 10'000'000); };
  const Call drains_ = [this] {
    launch_timed_gate(stream_, 10'000'000);
    stream_.sync();
  };
};

TEST_F(BlockedCallTest, HasTheFiguresOfItsQueue) {
  const auto figures_of = [this](Queue queue) {
    const BlockedCall call(queue, stream_, elsewhere_, gate_);
    return std::vector<std::string_view>(call.figures().begin(), call.figures().end());
  };
  const std::vector<std::string_view> two{"blocked", "completion"};
  EXPECT_EQ(figures_of(Queue::idle), two);
  EXPECT_EQ(figures_of(Queue::busy_elsewhere), two);
  EXPECT_EQ(figures_of(Queue::busy),
            (std::vector<std::string_view>{"blocked", "completion", "blocked_after_opening",
                                           "completion_after_opening"}));
}

TEST_F(BlockedCallTest, OnAnIdleQueueTellsACallThatReturnsEarlyFromOneThatWaits) {
  const Result early = measure(Queue::idle, stream_, works_for_10_ms_);
  EXPECT_EQ(early.findings.label, "async");
  EXPECT_GE(early.summaries[1].median, 9ms);
  EXPECT_TRUE(early.findings.counters.empty());
  EXPECT_EQ(measure(Queue::idle, stream_, drains_).findings.label, "waits_for_copy");
}

TEST_F(BlockedCallTest, BehindAGateTellsACallThatReturnsEarlyFromOneThatWaits) {
  const Result early = measure(Queue::busy, stream_, returns_at_once_);
  EXPECT_EQ(early.findings.label, "async");
  EXPECT_EQ(counter(early, "waited_for_queue_fraction"), 0);
  EXPECT_EQ(early.summaries[2].median, Nanoseconds{0}) << "it was back before the opening";
  EXPECT_GT(early.summaries[3].median, Nanoseconds{0});

  const Result late = measure(Queue::busy, stream_, drains_);
  EXPECT_EQ(late.findings.label, "waits_for_queue");
  EXPECT_EQ(counter(late, "waited_for_queue_fraction"), 1);
  // The hold is part of the one and not of the other.
  EXPECT_GE(late.summaries[0].median - late.summaries[2].median, 1ms);
  EXPECT_GE(late.summaries[2].median, 9ms);
}

TEST_F(BlockedCallTest, BehindAGateFindsCallsThatNowWaitAndNowDoNot) {
  int calls = 0;
  const Result result = measure(Queue::busy, stream_, [&] {
    if (++calls % 2 == 0) {
      drains_();
    } else {
      returns_at_once_();
    }
  });
  EXPECT_EQ(result.findings.label, "mixed");
  const double fraction = counter(result, "waited_for_queue_fraction");
  EXPECT_GT(fraction, 0);
  EXPECT_LT(fraction, 1);
  EXPECT_EQ(counter(result, "completed_before_opening_fraction"), -1);
}

TEST_F(BlockedCallTest, BesideAGateTellsAStreamThatIsOrderedBehindItFromOneThatIsNot) {
  const Result beside = measure(Queue::busy_elsewhere, stream_, returns_at_once_);
  EXPECT_EQ(beside.findings.label, "async");
  EXPECT_EQ(counter(beside, "completed_before_opening_fraction"), 1);

  // The legacy stream waits for every blocking one.
  const StreamView legacy(cudaStreamLegacy);
  const Result behind =
      measure(Queue::busy_elsewhere, legacy, [&] { launch_timed_gate(legacy, 0); });
  EXPECT_EQ(behind.findings.label, "async");
  EXPECT_EQ(counter(behind, "completed_before_opening_fraction"), 0);
  EXPECT_EQ(counter(behind, "waited_for_queue_fraction"), 0);
}

TEST_F(BlockedCallTest, BesideAGateFindsACallThatWaitsForTheOtherStream) {
  const Result result = measure(Queue::busy_elsewhere, stream_, [this] { elsewhere_.sync(); });
  EXPECT_EQ(result.findings.label, "waits_for_queue");
  EXPECT_EQ(counter(result, "waited_for_queue_fraction"), 1);
}

TEST_F(BlockedCallTest, HoldsTheGateLongerThanACallTakesByItself) {
  int calls = 0;
  const Call slow = [&] {
    ++calls;
    std::this_thread::sleep_for(20ms);
  };
  BlockedCall blocked(Queue::busy, stream_, elsewhere_, gate_);
  blocked.choose_hold(0, slow);
  EXPECT_EQ(calls, 3);
  blocked.choose_hold(0, slow);
  EXPECT_EQ(calls, 3) << "chosen already";
  std::array<Nanoseconds, 4> durations{};
  blocked.sample(durations, slow);
  const std::array<Summary, 4> summaries{};
  const Findings findings = blocked.conclude(summaries);
  EXPECT_GE(findings.counters.at("most_hold_ns"), 30e6);
}

TEST_F(BlockedCallTest, HoldsTheGateLongerForMoreBytes) {
  const auto hold_of = [&](std::size_t bytes) {
    BlockedCall blocked(Queue::busy, stream_, elsewhere_, gate_);
    blocked.choose_hold(bytes, [] {});
    std::array<Nanoseconds, 4> durations{};
    blocked.sample(durations, [] {});
    return blocked.conclude(std::array<Summary, 4>{}).counters.at("most_hold_ns");
  };
  EXPECT_EQ(hold_of(0), 2e6);
  EXPECT_EQ(hold_of(std::size_t{400} << 20U), static_cast<double>(std::size_t{100} << 20U));
}

TEST_F(BlockedCallTest, AsksForNoHoldWhereThereIsNoGate) {
  int calls = 0;
  BlockedCall blocked(Queue::idle, stream_, elsewhere_, gate_);
  blocked.choose_hold(0, [&] { ++calls; });
  EXPECT_EQ(calls, 0);
}

TEST_F(BlockedCallTest, OpensTheGateWhenTheCallThrows) {
  BlockedCall blocked(Queue::busy, stream_, elsewhere_, gate_);
  blocked.choose_hold(0, [] {});
  std::array<Nanoseconds, 4> durations{};
  EXPECT_THROW(blocked.sample(durations, [] { throw std::runtime_error("refused"); }),
               std::runtime_error);
  stream_.sync();
  EXPECT_NO_THROW(blocked.sample(durations, returns_at_once_));
}

}  // namespace
}  // namespace copybench
