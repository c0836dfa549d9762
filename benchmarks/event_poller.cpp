// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/event_poller.hpp"

namespace copybench {

void EventPoller::start() {
  pending_.record(stream_);
  keep_polling_ = true;
  thread_.start([this] {
    while (keep_polling_) {
      (void)pending_.is_done();
      ++polls_;
    }
  });
}

void EventPoller::stop() {
  keep_polling_ = false;
  thread_.join_job();
}

}  // namespace copybench
