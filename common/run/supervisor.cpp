// SPDX-License-Identifier: Apache-2.0
#include "common/run/supervisor.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <utility>

#include "common/start_thread.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;

constexpr Nanoseconds tick = 50ms;

}  // namespace

Supervisor::Supervisor(const sigset_t& signals, Nanoseconds watchdog, Callbacks callbacks)
    : signals_(signals),
      watchdog_(watchdog),
      callbacks_(std::move(callbacks)),
      thread_(start_thread([this](const std::stop_token& stop) { serve(stop); })) {}

void Supervisor::begin_watch() noexcept {
  beat();
  is_watching_ = true;
}

void Supervisor::end_watch() noexcept { is_watching_ = false; }

void Supervisor::serve(const std::stop_token& stop) {
  const timespec timeout{.tv_sec = 0, .tv_nsec = tick.count()};
  std::uint64_t seen = 0;
  Nanoseconds stalled{0};
  TimePoint before = now();
  while (!stop.stop_requested()) {
    const int signal = sigtimedwait(&signals_, nullptr, &timeout);
    if (signal > 0) {
      callbacks_.on_signal(signal);
    }
    const TimePoint after = now();
    const std::uint64_t beats = beats_.load(std::memory_order_relaxed);
    if (!is_watching_ || beats != seen) {
      seen = beats;
      stalled = Nanoseconds{0};
    } else {
      // A process that was stopped for a while (a debugger, a laptop's lid) has not stalled.
      stalled += std::min<Nanoseconds>(after - before, 4 * tick);
    }
    before = after;
    if (stalled >= watchdog_) {
      callbacks_.on_stall();
      stalled = Nanoseconds{0};
    }
  }
}

}  // namespace copybench
