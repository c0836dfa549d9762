// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/event.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "common/measurement/gate.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;

class EventWaitedFor : public testing::TestWithParam<EventWait> {};

INSTANTIATE_TEST_SUITE_P(Every, EventWaitedFor, testing::Values(EventWait::spin, EventWait::block),
                         [](const auto& tested) {
                           return tested.param == EventWait::spin ? "spin" : "block";
                         });

TEST_P(EventWaitedFor, IsDoneBeforeItWasEverRecorded) {
  const Event event(GetParam());
  EXPECT_TRUE(event.is_done());
  EXPECT_NO_THROW(event.sync());
}

TEST_P(EventWaitedFor, IsNotDoneBehindAClosedGate) {
  const Stream stream(StreamKind::nonblocking);
  Event event(GetParam());
  Gate gate;
  gate.close(stream);
  event.record(stream);
  std::this_thread::sleep_for(5ms);
  EXPECT_FALSE(event.is_done());
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  (void)gate.open();
  event.sync();
  EXPECT_TRUE(event.is_done());
}

TEST_P(EventWaitedFor, SyncReturnsOnlyOnceTheGateIsOpen) {
  const Stream stream(StreamKind::nonblocking);
  Event event(GetParam());
  Gate gate;
  gate.close(stream);
  event.record(stream);
  gate.start_hold(10ms);
  event.sync();
  const TimePoint returned = now();
  EXPECT_GT(returned, gate.open());
  EXPECT_TRUE(event.is_done());
}

TEST_P(EventWaitedFor, TheLastRecordCounts) {
  const Stream stream(StreamKind::nonblocking);
  Event event(GetParam());
  event.record(stream);
  event.sync();
  Gate gate;
  gate.close(stream);
  event.record(stream);
  EXPECT_FALSE(event.is_done());
  (void)gate.open();
  event.sync();
  EXPECT_TRUE(event.is_done());
}

TEST(Event, HoldsAnotherStreamWithoutHoldingTheHost) {
  const Stream producer(StreamKind::nonblocking);
  const Stream consumer(StreamKind::nonblocking);
  Event produced;
  Event consumed;
  Gate gate;
  gate.close(producer);
  produced.record(producer);
  wait(consumer, produced);
  consumed.record(consumer);
  std::this_thread::sleep_for(5ms);
  EXPECT_FALSE(consumed.is_done());
  EXPECT_FALSE(produced.is_done());
  (void)gate.open();
  consumed.sync();
  EXPECT_TRUE(produced.is_done());
}

TEST(Event, HoldsNobodyBeforeItWasRecorded) {
  const Stream stream(StreamKind::nonblocking);
  const Event never;
  wait(stream, never);
  EXPECT_NO_THROW(stream.sync());
}

}  // namespace
}  // namespace copybench
