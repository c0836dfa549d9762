// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <ostream>

#include "common/cuda/check.hpp"
#include "common/cuda/copy.hpp"
#include "common/cuda/event.hpp"
#include "common/kernels.hpp"
#include "tests/contract/contract.hpp"

namespace copybench {
namespace {

constexpr std::size_t bytes = 4096;

using Streams = Contract;

TEST_F(Streams, RunTheirWorkInOrder) {
  documented("operations of one stream run in the order of issue");
  const Buffer source(MemoryKind::pinned, bytes);
  const Buffer first(MemoryKind::device, bytes);
  const Buffer second(MemoryKind::device, bytes);
  const Buffer destination(MemoryKind::pinned, bytes);
  fill(source, new_byte);
  for (const Buffer* const buffer : {&first, &second, &destination}) {
    fill(*buffer, old_byte);
  }
  gate_.close(stream_);
  const OpenOnExit guard(gate_);
  copy_async(first.data(), source.data(), bytes, Direction::h2d, stream_);
  copy_async(second.data(), first.data(), bytes, Direction::d2d, stream_);
  copy_async(destination.data(), second.data(), bytes, Direction::d2h, stream_);
  (void)gate_.open();
  stream_.sync();
  EXPECT_TRUE(holds(destination, new_byte));
  observed("in order");
}

TEST_F(Streams, QueryTellsPendingWorkFromNone) {
  documented("cudaErrorNotReady while work is pending, else cudaSuccess");
  gate_.close(stream_);
  const std::string pending = result_of(cudaStreamQuery(stream_.get()));
  (void)gate_.open();
  stream_.sync();
  const std::string idle = result_of(cudaStreamQuery(stream_.get()));
  EXPECT_EQ(pending, "cudaErrorNotReady");
  EXPECT_EQ(idle, "cudaSuccess");
  observed(describe({{"pending", pending}, {"idle", idle}}));
}

TEST_F(Streams, SynchronizeWaitsForItsStream) {
  documented("blocks until the stream has completed all operations");
  const bool first = returns_first(stream_, [this] { stream_.sync(); });
  EXPECT_FALSE(first);
  observed(describe_return(first));
}

TEST_F(Streams, SynchronizeIgnoresOtherStreams) {
  documented("blocks until the stream has completed all operations");
  const Stream other(StreamKind::nonblocking);
  const bool first = returns_first(stream_, [&] { other.sync(); });
  observed(describe_return(first));
}

TEST_F(Streams, DeviceSynchronizeWaitsForEveryStream) {
  documented("blocks until the device has completed all preceding tasks");
  const bool first =
      returns_first(stream_, [] { check(cudaDeviceSynchronize(), "cudaDeviceSynchronize"); });
  EXPECT_FALSE(first);
  observed(describe_return(first));
}

TEST_F(Streams, SynchronizingTheLegacyStreamWaitsForBlockingStreams) {
  documented("not documented");
  const Stream blocking(StreamKind::blocking);
  const bool first = returns_first(blocking, [] { StreamView(cudaStreamLegacy).sync(); });
  observed(describe_return(first));
}

TEST_F(Streams, DestroyReturnsAtOnceAndTheWorkIsDone) {
  documented("returns immediately; resources are released once the work has completed");
  const Buffer source(MemoryKind::pinned, bytes);
  const Buffer destination(MemoryKind::device, bytes);
  fill(source, new_byte);
  fill(destination, old_byte);
  Event done;
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  gate_.close(StreamView(stream));
  const OpenOnExit guard(gate_);
  copy_async(destination.data(), source.data(), bytes, Direction::h2d, StreamView(stream));
  done.record(StreamView(stream));
  gate_.start_hold(long_hold);
  check(cudaStreamDestroy(stream), "cudaStreamDestroy");
  const TimePoint returned = now();
  const bool first = returned < gate_.open();
  done.sync();
  EXPECT_TRUE(first);
  EXPECT_TRUE(holds(destination, new_byte));
  observed(describe_return(first));
}

TEST_F(Streams, FlagsAreThoseOfTheirCreation) {
  documented("cudaStreamGetFlags returns the flags of the stream");
  for (const StreamKind kind : {StreamKind::blocking, StreamKind::nonblocking}) {
    unsigned flags = 0;
    check(cudaStreamGetFlags(Stream(kind).get(), &flags), "cudaStreamGetFlags");
    EXPECT_EQ(flags == cudaStreamNonBlocking, kind == StreamKind::nonblocking);
  }
  observed("as created");
}

TEST_F(Streams, TheNullHandleIsTheLegacyStream) {
  documented("a null handle is the legacy stream unless compiled for per-thread streams");
  Event done;
  gate_.close(StreamView(nullptr));
  done.record(StreamView(cudaStreamLegacy));
  const bool held = !happens_within(hold, [&] { return done.is_done(); });
  (void)gate_.open();
  done.sync();
  EXPECT_TRUE(held);
  observed(held ? "the same stream" : "another stream");
}

}  // namespace
}  // namespace copybench
