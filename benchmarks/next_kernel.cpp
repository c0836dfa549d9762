// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/next_kernel.hpp"

#include "common/chaining/polling.hpp"

namespace copybench {

void NextKernel::watch(StreamView stream) {
  watching_ = false;
  launched_ = false;
  thread_.start([this, stream] { look(stream); });
  while (!watching_) {
  }
}

void NextKernel::launch(StreamView stream, const std::int32_t* word) {
  mark_.enqueue({.device_size = word}, stream);
  launched_ = true;
}

TimePoint NextKernel::started() {
  thread_.join_job();
  return seen_;
}

void NextKernel::look(StreamView stream) {
  Polling polling(stream);
  watching_ = true;
  while (!(launched_ && mark_.has_arrived()) && !abandoned_) {
    polling.pause();
  }
  seen_ = now();
}

}  // namespace copybench
