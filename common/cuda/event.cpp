// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/event.hpp"

#include "common/cuda/check.hpp"

namespace copybench {

Event::Event(EventWait wait) {
  unsigned flags = cudaEventDisableTiming;
  if (wait == EventWait::block) {
    flags |= cudaEventBlockingSync;
  }
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, flags), "cudaEventCreateWithFlags");
  event_.reset(event);
}

void Event::record(StreamView stream) {
  check(cudaEventRecord(event_.get(), stream.get()), "cudaEventRecord");
}

void Event::sync() const { check(cudaEventSynchronize(event_.get()), "cudaEventSynchronize"); }

bool Event::is_done() const {
  const cudaError_t code = cudaEventQuery(event_.get());
  if (code == cudaErrorNotReady) {
    (void)cudaGetLastError();
    return false;
  }
  check(code, "cudaEventQuery");
  return true;
}

void Event::Destroy::operator()(cudaEvent_t event) const noexcept { (void)cudaEventDestroy(event); }

void wait(StreamView stream, const Event& event) {
  check(cudaStreamWaitEvent(stream.get(), event.get(), 0), "cudaStreamWaitEvent");
}

}  // namespace copybench
