// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>

#include "common/cuda/event.hpp"
#include "common/cuda/stream.hpp"
#include "common/measurement/helper_thread.hpp"

namespace copybench {

/// A thread that asks without a pause whether an event in a stream has happened (cudaEventQuery),
/// which it has not: the caller holds the stream by a gate.
class EventPoller {
 public:
  explicit EventPoller(StreamView stream) : stream_(stream) {}
  ~EventPoller() { keep_polling_ = false; }
  EventPoller(const EventPoller&) = delete;
  EventPoller& operator=(const EventPoller&) = delete;
  EventPoller(EventPoller&&) = delete;
  EventPoller& operator=(EventPoller&&) = delete;

  /// To be called while the stream is held, until stop().
  void start();
  /// Throws what a query threw.
  void stop();
  /// How often it has asked, over all rounds. Not between start() and stop().
  [[nodiscard]] std::size_t polls() const noexcept { return polls_; }

 private:
  StreamView stream_;
  Event pending_;
  std::atomic<bool> keep_polling_ = false;
  std::size_t polls_ = 0;
  // The last member: its job uses the others.
  HelperThread thread_;
};

}  // namespace copybench
