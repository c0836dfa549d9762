// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <type_traits>

#include "common/cuda/check.hpp"
#include "common/cuda/event.hpp"
#include "common/kernels.hpp"
#include "tests/contract/contract.hpp"

namespace copybench {
namespace {

struct DestroyEvent {
  void operator()(cudaEvent_t event) const noexcept { (void)cudaEventDestroy(event); }
};
using OwnedEvent = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, DestroyEvent>;

OwnedEvent make_timing_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDefault), "cudaEventCreateWithFlags");
  return OwnedEvent(event);
}

void record(const OwnedEvent& event, StreamView stream) {
  check(cudaEventRecord(event.get(), stream.get()), "cudaEventRecord");
}

class ElapsedTime : public Contract {
 protected:
  OwnedEvent begin_ = make_timing_event();
  OwnedEvent end_ = make_timing_event();
};

TEST_F(ElapsedTime, CoversTheWorkBetweenTheEvents) {
  documented("the time between two events, and possibly more");
  record(begin_, stream_);
  launch_timed_gate(stream_, 5'000'000);
  record(end_, stream_);
  stream_.sync();
  float elapsed_ms = 0;
  check(cudaEventElapsedTime(&elapsed_ms, begin_.get(), end_.get()), "cudaEventElapsedTime");
  EXPECT_GT(elapsed_ms, 4.5F);
  observed("at least the work between");
}

TEST_F(ElapsedTime, OfPendingEventsIsNotReady) {
  documented("cudaErrorNotReady while one of them is not complete");
  record(begin_, stream_);
  gate_.close(stream_);
  record(end_, stream_);
  float elapsed_ms = 0;
  const std::string code = result_of(cudaEventElapsedTime(&elapsed_ms, begin_.get(), end_.get()));
  (void)gate_.open();
  stream_.sync();
  EXPECT_EQ(code, "cudaErrorNotReady");
  observed(code);
}

TEST_F(ElapsedTime, OfEventsNeverRecordedIsRefused) {
  documented("cudaErrorInvalidResourceHandle");
  float elapsed_ms = 0;
  const std::string code = result_of(cudaEventElapsedTime(&elapsed_ms, begin_.get(), end_.get()));
  EXPECT_EQ(code, "cudaErrorInvalidResourceHandle");
  observed(code);
}

TEST_F(ElapsedTime, OfEventsWithoutTimingIsRefused) {
  documented("cudaErrorInvalidResourceHandle");
  Event untimed;
  record(begin_, stream_);
  untimed.record(stream_);
  stream_.sync();
  float elapsed_ms = 0;
  const std::string code =
      result_of(cudaEventElapsedTime(&elapsed_ms, begin_.get(), untimed.get()));
  EXPECT_EQ(code, "cudaErrorInvalidResourceHandle");
  observed(code);
}

}  // namespace
}  // namespace copybench
