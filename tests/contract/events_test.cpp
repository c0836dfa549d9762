// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "common/cuda/check.hpp"
#include "common/cuda/event.hpp"
#include "common/kernels.hpp"
#include "tests/contract/contract.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

class Events : public Contract {
 protected:
  Event event_;
  Stream other_{StreamKind::nonblocking};
};

TEST_F(Events, QueryOfOneNeverRecordedIsSuccess) {
  documented("an event that was never recorded counts as complete");
  const std::string code = result_of(cudaEventQuery(event_.get()));
  EXPECT_EQ(code, "cudaSuccess");
  observed(code);
}

TEST_F(Events, SynchronizeOnOneNeverRecordedReturns) {
  documented("an event that was never recorded counts as complete");
  const bool first = returns_first(stream_, [this] { event_.sync(); });
  EXPECT_TRUE(first);
  observed(describe_return(first));
}

TEST_F(Events, WaitForOneNeverRecordedHoldsNothingUp) {
  documented("an event that was never recorded counts as complete");
  Event done;
  wait(stream_, event_);
  done.record(stream_);
  const bool ran = happens_within(5s, [&] { return done.is_done(); });
  EXPECT_TRUE(ran);
  observed(ran ? "ran at once" : "was held up");
}

TEST_F(Events, QueryBehindAGateIsNotReady) {
  documented("cudaErrorNotReady until the work before the record is complete");
  gate_.close(stream_);
  event_.record(stream_);
  const std::string closed = result_of(cudaEventQuery(event_.get()));
  (void)gate_.open();
  stream_.sync();
  EXPECT_EQ(closed, "cudaErrorNotReady");
  EXPECT_TRUE(event_.is_done());
  observed(closed);
}

TEST_F(Events, RecordCapturesEarlierWorkAlone) {
  documented("an event captures the work of its stream at the time of the call");
  event_.record(stream_);
  gate_.close(stream_);
  const bool done = happens_within(long_hold, [this] { return event_.is_done(); });
  (void)gate_.open();
  stream_.sync();
  EXPECT_TRUE(done);
  observed(done ? "complete behind the closed gate" : "not complete");
}

TEST_F(Events, RecordingAgainReplacesTheRecord) {
  documented("a later record overwrites the captured state");
  event_.record(stream_);
  stream_.sync();
  gate_.close(stream_);
  event_.record(stream_);
  const bool done = event_.is_done();
  (void)gate_.open();
  event_.sync();
  EXPECT_FALSE(done);
  observed(done ? "complete by the first record" : "pending by the second record");
}

TEST_F(Events, WaitKeepsTheRecordOfItsCall) {
  documented("a wait uses the state captured at its call, not a later record");
  Event done;
  event_.record(stream_);
  wait(other_, event_);
  gate_.close(stream_);
  event_.record(stream_);
  done.record(other_);
  const bool ran = happens_within(long_hold, [&] { return done.is_done(); });
  (void)gate_.open();
  stream_.sync();
  other_.sync();
  EXPECT_TRUE(ran);
  observed(ran ? "waited for the first record" : "waited for the second record");
}

TEST_F(Events, WaitHoldsUpAnotherStreamAndNotTheHost) {
  documented("later work waits for the event; the host does not block");
  Event done;
  gate_.close(stream_);
  event_.record(stream_);
  gate_.start_hold(long_hold);
  wait(other_, event_);
  done.record(other_);
  const TimePoint returned = now();
  const bool held = !happens_within(hold, [&] { return done.is_done(); });
  const bool first = returned < gate_.open();
  done.sync();
  stream_.sync();
  EXPECT_TRUE(held);
  EXPECT_TRUE(first);
  observed(std::string(held ? "the stream waited" : "the stream went on") + ", the call " +
           describe_return(first));
}

TEST_F(Events, SynchronizeWaitsForTheRecordedWork) {
  documented("row 26: waits until the work before the record is complete");
  Outcomes seen;
  for (const EventWait how : {EventWait::spin, EventWait::block}) {
    Event event(how);
    const bool first = returns_first(stream_, [&] {
      event.record(stream_);
      event.sync();
    });
    EXPECT_FALSE(first);
    seen.emplace_back(how == EventWait::spin ? "default" : "blocking", describe_return(first));
  }
  observed(describe(seen));
}

TEST_F(Events, DestroyBeforeCompletionReturnsAtOnce) {
  documented("does not block; resources are released at completion");
  const bool first = returns_first(stream_, [this] {
    Event event;
    event.record(stream_);
  });
  EXPECT_TRUE(first);
  observed(describe_return(first));
}

// The share of a wait for a gate that the thread spends on a processor.
double busy_share(Gate& gate, StreamView stream, Event& event) {
  gate.close(stream);
  event.record(stream);
  gate.start_hold(30ms);
  const TimePoint begin = now();
  const Nanoseconds cpu_begin = thread_cpu_time();
  event.sync();
  const std::chrono::duration<double> cpu = thread_cpu_time() - cpu_begin;
  const std::chrono::duration<double> wall = now() - begin;
  stream.sync();
  return cpu / wall;
}

// A sleeping thread never uses much of a processor. A spinning one uses all that others leave it,
// which is little now and then on a busy machine: the most of a few waits counts.
TEST_F(Events, BlockingSyncSleeps) {
  documented("row 26: spins unless the event was created with cudaEventBlockingSync");
  constexpr int rounds = 5;
  constexpr double much = 0.2;
  Outcomes seen;
  for (const EventWait how : {EventWait::spin, EventWait::block}) {
    Event event(how);
    double most = 0;
    for (int i = 0; i < rounds; ++i) {
      most = std::max(most, busy_share(gate_, stream_, event));
    }
    const bool slept = most < much;
    EXPECT_EQ(slept, how == EventWait::block) << most;
    seen.emplace_back(how == EventWait::spin ? "default" : "blocking", slept ? "slept" : "spun");
  }
  observed(describe(seen));
}

}  // namespace
}  // namespace copybench
