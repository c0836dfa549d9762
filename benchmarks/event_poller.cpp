// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/event_poller.hpp"

#include <chrono>

namespace copybench {
namespace {

using std::chrono_literals::operator""s;

// Far longer than anything that is measured beside it, and shorter than the gate's own patience:
// what waits for the gate after all waits no longer than this.
constexpr Nanoseconds longest_hold = 5s;

}  // namespace

void EventPoller::start() {
  gate_.close(stream_);
  pending_.record(stream_);
  gate_.start_hold(longest_hold);
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
  (void)gate_.open();
  stream_.sync();
  gate_.require_opened_by_host();
}

}  // namespace copybench
