// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/stream.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "common/cuda/check.hpp"
#include "common/cuda/event.hpp"
#include "common/measurement/gate.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

unsigned flags_of(const Stream& stream) {
  unsigned flags = 0;
  check(cudaStreamGetFlags(stream.get(), &flags), "cudaStreamGetFlags");
  return flags;
}

TEST(Stream, DefaultStreamsAreCudasHandles) {
  EXPECT_EQ(Stream(StreamKind::legacy).get(), cudaStreamLegacy);
  EXPECT_EQ(Stream(StreamKind::per_thread).get(), cudaStreamPerThread);
}

TEST(Stream, OwnStreamsHaveTheFlagsOfTheirKind) {
  EXPECT_EQ(flags_of(Stream(StreamKind::nonblocking)), unsigned{cudaStreamNonBlocking});
  EXPECT_EQ(flags_of(Stream(StreamKind::blocking)), unsigned{cudaStreamDefault});
}

TEST(Stream, EveryKindRunsWork) {
  for (const StreamKind kind : {StreamKind::legacy, StreamKind::per_thread, StreamKind::blocking,
                                StreamKind::nonblocking}) {
    const Stream stream(kind);
    launch_timed_gate(stream, 1000);
    EXPECT_NO_THROW(stream.sync());
    EXPECT_TRUE(stream.view().is_done());
  }
}

TEST(Stream, IsNotDoneBehindAClosedGateAndLeavesNoError) {
  const Stream stream(StreamKind::nonblocking);
  Gate gate;
  gate.close(stream);
  EXPECT_FALSE(stream.view().is_done());
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  (void)gate.open();
  stream.sync();
  EXPECT_TRUE(stream.view().is_done());
}

TEST(Stream, MovesItsHandle) {
  Stream first(StreamKind::nonblocking);
  auto* const handle = first.get();
  const Stream second(std::move(first));
  EXPECT_EQ(second.get(), handle);
  launch_timed_gate(second, 1000);
  EXPECT_NO_THROW(second.sync());
}

// Whether work in a stream of `kind` is held up by a gate in the legacy stream, for so long at
// least.
bool waits_for_legacy(StreamKind kind, Nanoseconds patience) {
  const Stream legacy(StreamKind::legacy);
  const Stream other(kind);
  Event done;
  Gate gate;
  gate.close(legacy);
  const OpenOnExit guard(gate);
  launch_timed_gate(other, 1000);
  done.record(other);
  const TimePoint end = now() + patience;
  while (!done.is_done() && now() < end) {
    std::this_thread::yield();
  }
  const bool waited = !done.is_done();
  (void)gate.open();
  legacy.sync();
  other.sync();
  gate.require_opened_by_host();
  return waited;
}

TEST(Stream, BlockingStreamsWaitForTheLegacyStream) {
  EXPECT_TRUE(waits_for_legacy(StreamKind::blocking, 50ms));
  EXPECT_TRUE(waits_for_legacy(StreamKind::per_thread, 50ms));
}

TEST(Stream, NonblockingStreamsDoNot) {
  EXPECT_FALSE(waits_for_legacy(StreamKind::nonblocking, 5s));
}

}  // namespace
}  // namespace copybench
