// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/host_functions.hpp"

#include <atomic>
#include <ostream>
#include <thread>

#include "common/cuda/copy.hpp"
#include "common/cuda/event.hpp"
#include "tests/contract/contract.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""s;

constexpr std::size_t bytes = 4096;

class HostFunctions : public Contract, public testing::WithParamInterface<HostApi> {
 protected:
  Stream other_{StreamKind::nonblocking};
};

TEST_P(HostFunctions, RunAfterEarlierWorkAndReturnFirst) {
  documented("rows 23, 24: run once the earlier work of the stream is complete");
  std::atomic<bool> ran = false;
  HostWork work = [&](cudaError_t) { ran = true; };
  gate_.close(stream_);
  gate_.start_hold(5s);
  enqueue(GetParam(), stream_, work);
  const TimePoint returned = now();
  const bool early = happens_within(hold, [&] { return ran.load(); });
  const bool first = returned < gate_.open();
  stream_.sync();
  EXPECT_FALSE(early);
  EXPECT_TRUE(ran);
  observed(std::string(early ? "ran behind the closed gate" : "ran after the gate") +
           ", the call " + describe_return(first));
}

TEST_P(HostFunctions, HoldUpLaterWork) {
  documented("rows 23, 24: block later work of the stream until they return");
  std::atomic<bool> release = false;
  HostWork work = [&](cudaError_t) { (void)happens_within(5s, [&] { return release.load(); }); };
  Event behind;
  enqueue(GetParam(), stream_, work);
  behind.record(stream_);
  const bool early = happens_within(hold, [&] { return behind.is_done(); });
  release = true;
  behind.sync();
  stream_.sync();
  EXPECT_FALSE(early);
  observed(early ? "later work ran meanwhile" : "later work waited");
}

TEST_P(HostFunctions, RunOneAtATimeAcrossStreams) {
  documented("rows 23, 24: may be serialised");
  std::atomic<bool> first_runs = false;
  std::atomic<bool> second_runs = false;
  bool together = false;
  HostWork first = [&](cudaError_t) {
    first_runs = true;
    together = happens_within(long_hold, [&] { return second_runs.load(); });
  };
  HostWork second = [&](cudaError_t) { second_runs = true; };
  enqueue(GetParam(), stream_, first);
  EXPECT_TRUE(happens_within(5s, [&] { return first_runs.load(); }));
  enqueue(GetParam(), other_, second);
  stream_.sync();
  other_.sync();
  observed(together ? "at the same time" : "one at a time");
}

TEST_P(HostFunctions, LetOtherStreamsGoOn) {
  documented("not documented");
  const Buffer source(MemoryKind::pinned, bytes);
  const Buffer destination(MemoryKind::device, bytes);
  Event done;
  std::atomic<bool> runs = false;
  std::atomic<bool> release = false;
  std::atomic<bool> ended = false;
  HostWork work = [&](cudaError_t) {
    runs = true;
    (void)happens_within(long_hold, [&] { return release.load(); });
    ended = true;
  };
  enqueue(GetParam(), stream_, work);
  EXPECT_TRUE(happens_within(5s, [&] { return runs.load(); }));
  copy_async(destination.data(), source.data(), bytes, Direction::h2d, other_);
  done.record(other_);
  const bool enqueued = !ended;
  (void)happens_within(long_hold, [&] { return done.is_done() || ended; });
  const bool completed = !ended;
  release = true;
  stream_.sync();
  other_.sync();
  const char* const late = enqueued ? "a copy waited meanwhile" : "the call waited";
  observed(completed ? "a copy in another stream was done meanwhile" : late);
}

TEST_P(HostFunctions, ARefusedCallLeavesTheStreamUsable) {
  documented("not documented");
  const Buffer source(MemoryKind::pinned, bytes);
  const Buffer destination(MemoryKind::device, bytes);
  const Buffer inside(MemoryKind::device, bytes);
  fill(source, new_byte);
  fill(inside, old_byte);
  cudaError_t refusal = cudaSuccess;
  HostWork work = [&](cudaError_t) {
    refusal =
        cudaMemcpyAsync(inside.data(), source.data(), bytes, cudaMemcpyHostToDevice, other_.get());
  };
  enqueue(GetParam(), stream_, work);
  copy_async(destination.data(), source.data(), bytes, Direction::h2d, stream_);
  const std::string after = result_of(cudaStreamSynchronize(stream_.get()));
  other_.sync();
  EXPECT_TRUE(holds(destination, new_byte));
  observed(describe({{"inside", cudaGetErrorName(refusal)}, {"after", after}}) +
           (holds(inside, old_byte) ? "; the copy never happened" : "; the copy happened"));
}

TEST_P(HostFunctions, AreCalledOnceWithSuccess) {
  documented("row 24: a callback is executed exactly once, with cudaSuccess");
  std::atomic<int> calls = 0;
  std::atomic<cudaError_t> status = cudaErrorUnknown;
  HostWork work = [&](cudaError_t passed) {
    ++calls;
    status = passed;
  };
  enqueue(GetParam(), stream_, work);
  stream_.sync();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(status, cudaSuccess);
  observed("once, with " + std::string(cudaGetErrorName(status)));
}

INSTANTIATE_TEST_SUITE_P(Both, HostFunctions, testing::ValuesIn(host_apis),
                         [](const auto& tested) { return name_of(tested.param); });

}  // namespace
}  // namespace copybench
