// SPDX-License-Identifier: Apache-2.0
// Work that fails between the begin of a call and the moment at which the call looks for what is
// pending leaves nothing pending. No call may take that for success.
#include <atomic>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "common/measurement/clock.hpp"
#include "simulator/call.hpp"
#include "simulator/launch.hpp"
#include "simulator/progress.hpp"
#include "simulator/stream.hpp"

namespace copybench::simulator {
namespace {

using std::chrono_literals::operator""ms;

template <typename Call>
bool tells_of(cudaError_t error, const Call& call) {
  try {
    call();
  } catch (const Refusal& refusal) {
    return refusal.code == error;
  }
  return false;
}

// Each runs in a process of its own, and exits with 0 if the call tells of the loss.
template <typename Call>
[[noreturn]] void call_after_a_loss(const Call& call) {
  lose_context(cudaErrorLaunchFailure);
  _exit(tells_of(cudaErrorLaunchFailure, call) ? 0 : 1);
}

class LostContextDeathTest : public testing::Test {
 protected:
  LostContextDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(LostContextDeathTest, IsToldByAWaitForNothing) {
  EXPECT_EXIT(call_after_a_loss([] { wait_for(std::vector<Ticket>{}); }),
              testing::ExitedWithCode(0), "");
}

TEST_F(LostContextDeathTest, IsToldByAWaitForWhatWasNeverRecorded) {
  EXPECT_EXIT(call_after_a_loss([] { wait_for(Ticket{}); }), testing::ExitedWithCode(0), "");
}

TEST_F(LostContextDeathTest, IsToldByAQueryOfFinishedWork) {
  EXPECT_EXIT(call_after_a_loss([] { require_done(true); }), testing::ExitedWithCode(0), "");
}

TEST_F(LostContextDeathTest, IsToldByAQueryOfPendingWork) {
  EXPECT_EXIT(call_after_a_loss([] { require_done(false); }), testing::ExitedWithCode(0), "");
}

// A callback is called after a loss, too, and may ask for an event.
void CUDART_CB query_event(cudaStream_t /*stream*/, cudaError_t /*status*/, void* answer) {
  static_cast<std::atomic<cudaError_t>*>(answer)->store(cudaEventQuery(nullptr));
}

[[noreturn]] void ask_in_a_callback_after_a_loss() {
  alarm(20);
  cudaStream_t stream = nullptr;
  (void)cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  std::atomic<cudaError_t> answer = cudaSuccess;
  (void)launch_kernel(stream, 1, [](const CallFaults&) {
    sleep_until(now() + 50ms);
    return cudaErrorLaunchFailure;
  });
  (void)cudaStreamAddCallback(stream, query_event, &answer, 0);
  const cudaError_t synchronised = cudaStreamSynchronize(stream);
  (void)cudaStreamDestroy(stream);
  // The stream's end is no proof that the callback has run.
  while (answer == cudaSuccess) {
    sleep_until(now() + 1ms);
  }
  _exit(answer == cudaErrorLaunchFailure && synchronised == answer ? 0 : 1);
}

TEST_F(LostContextDeathTest, IsToldInACallbackWhichDoesNotWaitForItself) {
  EXPECT_EXIT(ask_in_a_callback_after_a_loss(), testing::ExitedWithCode(0), "");
}

TEST(ContextThatIsNotLost, IsNoReasonForAComplaint) {
  wait_for(std::vector<Ticket>{});
  require_done(true);
  EXPECT_TRUE(tells_of(cudaErrorNotReady, [] { require_done(false); }));
}

}  // namespace
}  // namespace copybench::simulator
