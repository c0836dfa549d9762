// SPDX-License-Identifier: Apache-2.0
#include "common/measurement/gate.hpp"

#include <chrono>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "common/cuda/check.hpp"
#include "common/cuda/copy.hpp"
#include "common/cuda/event.hpp"
#include "tests/gpu/memory_kinds.hpp"
#include "tests/gpu/trap.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;
using std::chrono_literals::operator""us;

class GateTest : public testing::Test {
 protected:
  void drain() {
    stream_.sync();
    EXPECT_NO_THROW(gate_.require_opened_by_host());
  }

  Stream stream_{StreamKind::nonblocking};
  Event behind_;
  Gate gate_;
};

TEST_F(GateTest, HoldsTheStreamUntilItIsOpened) {
  gate_.close(stream_);
  behind_.record(stream_);
  std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(behind_.is_done());
  (void)gate_.open();
  behind_.sync();
  drain();
}

TEST_F(GateTest, OpensByItselfAtTheDeadline) {
  for (const Nanoseconds hold : {Nanoseconds(100us), Nanoseconds(2ms), Nanoseconds(50ms)}) {
    gate_.close(stream_);
    const TimePoint begin = now();
    gate_.start_hold(hold);
    stream_.sync();
    const TimePoint drained = now();
    const TimePoint opened_at = gate_.open();
    EXPECT_GE(opened_at - begin, hold);
    // A busy machine is late, but not by as much as the gate's own timeout.
    EXPECT_LT(opened_at - begin, hold + 2s);
    EXPECT_GT(drained, opened_at);
    EXPECT_NO_THROW(gate_.require_opened_by_host());
  }
}

TEST_F(GateTest, OpensEarlierOnRequest) {
  gate_.close(stream_);
  gate_.start_hold(5s);
  const TimePoint asked = now();
  const TimePoint opened_at = gate_.open();
  const TimePoint answered = now();
  EXPECT_GE(opened_at, asked);
  EXPECT_LE(opened_at, answered);
  EXPECT_LT(answered - asked, 1s);
  drain();
}

TEST_F(GateTest, TellsACallThatWaitedFromOneThatDidNot) {
  const Buffer device(MemoryKind::device, 4096);
  const Buffer pinned(MemoryKind::pinned, 4096);
  const Buffer pageable(MemoryKind::pageable, 4096);

  gate_.close(stream_);
  gate_.start_hold(20ms);
  copy_async(pinned.data(), device.data(), 4096, Direction::d2h, stream_);
  const TimePoint early = now();
  EXPECT_LT(early, gate_.open());
  drain();

  // A copy to pageable memory returns when it has arrived.
  gate_.close(stream_);
  gate_.start_hold(20ms);
  copy_async(pageable.data(), device.data(), 4096, Direction::d2h, stream_);
  const TimePoint late = now();
  EXPECT_GT(late, gate_.open());
  drain();
}

TEST_F(GateTest, OpeningTwiceIsHarmless) {
  gate_.close(stream_);
  const TimePoint first = gate_.open();
  const TimePoint second = gate_.open();
  EXPECT_EQ(first, second);
  drain();
}

TEST_F(GateTest, OpeningWhatWasNeverClosedIsHarmless) {
  (void)gate_.open();
  gate_.close(stream_);
  behind_.record(stream_);
  EXPECT_FALSE(behind_.is_done());
  (void)gate_.open();
  drain();
}

TEST_F(GateTest, ServesAThousandTimes) {
  for (int i = 0; i < 1000; ++i) {
    gate_.close(stream_);
    behind_.record(stream_);
    ASSERT_FALSE(behind_.is_done()) << "round " << i;
    const TimePoint begin = now();
    switch (i % 4) {
      case 0:  // asked at once
        gate_.start_hold(1s);
        break;
      case 1:  // nobody asks
        gate_.start_hold(10us);
        stream_.sync();
        break;
      case 2:  // asked at the very deadline
        gate_.start_hold(30us);
        spin_until(begin + 30us);
        break;
      default:  // without a countdown
        break;
    }
    const TimePoint opened_at = gate_.open();
    ASSERT_GE(opened_at, begin) << "round " << i;
    stream_.sync();
    ASSERT_LE(opened_at, now()) << "round " << i;
    ASSERT_NO_THROW(gate_.require_opened_by_host()) << "round " << i;
  }
}

TEST_F(GateTest, ADeadlineThatIsOverOpensAtOnce) {
  gate_.close(stream_);
  gate_.start_hold(0ms);
  stream_.sync();
  (void)gate_.open();
  drain();
}

TEST_F(GateTest, OpenOnExitOpensWhenAScopeIsLeft) {
  {
    const OpenOnExit guard(gate_);
    gate_.close(stream_);
  }
  drain();
}

TEST_F(GateTest, OpenOnExitOpensOnAnException) {
  try {
    const OpenOnExit guard(gate_);
    gate_.close(stream_);
    throw std::runtime_error("in a measurement");
  } catch (const std::runtime_error&) {
    drain();
  }
}

TEST_F(GateTest, DestroyingAClosedGateOpensIt) {
  std::optional<Gate> gate(std::in_place);
  gate->close(stream_);
  const TimePoint begin = now();
  gate.reset();
  stream_.sync();
  EXPECT_LT(now() - begin, 1s);
}

TEST_F(GateTest, DestroyingAnIdleGateReturns) {
  for (int i = 0; i < 20; ++i) {
    const Gate gate;
  }
}

// The kernel must end by itself when the host has gone away.
TEST_F(GateTest, TheDevicesTimeoutEndsTheKernel) {
  constexpr std::uint64_t timeout_ns = 5'000'000;
  const Buffer memory(MemoryKind::pinned_mapped, sizeof(GateFlags));
  auto* const flags = reinterpret_cast<GateFlags*>(memory.data());
  *flags = {};
  const TimePoint begin = now();
  launch_flag_gate(stream_, reinterpret_cast<GateFlags*>(memory.device_address()), timeout_ns);
  stream_.sync();
  const Nanoseconds took = now() - begin;
  EXPECT_EQ(flags->open, 0U);
  EXPECT_EQ(flags->started, 1U);
  EXPECT_EQ(flags->timed_out, 1U);
  EXPECT_GT(took, 4ms);
  EXPECT_LT(took, 1s);
}

TEST_F(GateTest, AKernelThatTimedOutIsReportedAndTheGateGoesOn) {
  gate_.close(stream_, [this](GateFlags* flags, std::uint64_t /*timeout_ns*/) {
    launch_flag_gate(stream_, flags, 1'000'000);
  });
  stream_.sync();
  (void)gate_.open();
  EXPECT_THROW(gate_.require_opened_by_host(), GateError);

  gate_.close(stream_);
  (void)gate_.open();
  drain();
}

TEST_F(GateTest, ALaunchThatFailsLeavesTheGateUsable) {
  EXPECT_THROW(
      gate_.close(stream_, [](GateFlags*, std::uint64_t) { throw std::runtime_error("refused"); }),
      std::runtime_error);
  gate_.close(stream_);
  (void)gate_.open();
  drain();
}

TEST_F(GateTest, GivesUpOnAStreamThatIsNotDrained) {
  Gate in_front;
  in_front.close(stream_);
  const OpenOnExit guard(in_front);
  EXPECT_THROW(gate_.close(stream_), GateError);
  (void)in_front.open();
  const TimePoint begin = now();
  stream_.sync();
  EXPECT_LT(now() - begin, 1s);
  drain();
}

// Runs in a process of its own.
[[noreturn]] void close_behind_a_failure() {
  alarm(30);
  const Stream stream(StreamKind::nonblocking);
  Gate gate;
  gate.close(stream);
  (void)gate.open();
  stream.sync();
  launch_trap(stream);
  const TimePoint begin = now();
  try {
    gate.close(stream);
    _exit(2);
  } catch (const CudaError& error) {
    (void)std::fprintf(stderr, "%s\n", error.what());
  }
  // Long before the gate gives up.
  _exit(now() - begin < 3s ? 0 : 3);
}

TEST(GateDeathTest, BehindAFailedDeviceTheFailureIsReported) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(close_behind_a_failure(), testing::ExitedWithCode(0), "cudaErrorLaunchFailure");
}

TEST_F(GateTest, TheGatedProducerWritesItsSizeOnlyOnceOpened) {
  const Buffer size(MemoryKind::pinned_mapped, sizeof(std::int32_t));
  auto* const host_size = reinterpret_cast<volatile std::int32_t*>(size.data());
  *host_size = -1;
  gate_.close(stream_, [&](GateFlags* flags, std::uint64_t timeout_ns) {
    launch_gated_size_producer(stream_, flags, timeout_ns, 1234,
                               reinterpret_cast<std::int32_t*>(size.device_address()));
  });
  std::this_thread::sleep_for(5ms);
  EXPECT_EQ(*host_size, -1);
  (void)gate_.open();
  drain();
  EXPECT_EQ(*host_size, 1234);
}

}  // namespace
}  // namespace copybench
