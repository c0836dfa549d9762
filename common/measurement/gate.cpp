// SPDX-License-Identifier: Apache-2.0
#include "common/measurement/gate.hpp"

#include <chrono>

#include "common/measurement/quiet_cpu.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

// Far above any hold in the suite, far below the watchdog.
constexpr Nanoseconds device_timeout = 10s;
constexpr Nanoseconds start_timeout = 5s;
// Far above what a kernel takes to start.
constexpr Nanoseconds look_every = 10ms;

// The flags are shared with the device: every access must reach memory, in order.
std::uint32_t load(const std::uint32_t& flag) { return __atomic_load_n(&flag, __ATOMIC_ACQUIRE); }
void store(std::uint32_t& flag, std::uint32_t value) {
  __atomic_store_n(&flag, value, __ATOMIC_RELEASE);
}

}  // namespace

Gate::Gate()
    : memory_(MemoryKind::pinned_mapped, sizeof(GateFlags)), opener_([this] { serve(); }) {}

Gate::~Gate() {
  (void)open();
  state_ = State::quitting;
  state_.notify_one();
}

GateFlags* Gate::flags() const { return reinterpret_cast<GateFlags*>(memory_.data()); }

void Gate::close(StreamView stream) {
  close(stream, [&](GateFlags* flags, std::uint64_t timeout_ns) {
    launch_flag_gate(stream, flags, timeout_ns);
  });
}

void Gate::close(StreamView stream, const Launch& launch) {
  (void)open();
  *flags() = {};
  launch(reinterpret_cast<GateFlags*>(memory_.device_address()),
         static_cast<std::uint64_t>(device_timeout.count()));
  // From here on the opener spins, so that the countdown costs no wake-up inside a measurement.
  state_ = State::armed;
  state_.notify_one();
  try {
    wait_for_start(stream);
  } catch (...) {
    (void)open();
    throw;
  }
}

void Gate::wait_for_start(StreamView stream) const {
  const TimePoint begin = now();
  TimePoint look = begin + look_every;
  while (load(flags()->started) == 0) {
    const TimePoint time = now();
    if (time > begin + start_timeout) {
      throw GateError("the gate's kernel did not start within seconds: the stream is not drained");
    }
    if (time > look) {
      // A device that has failed starts nothing any more. The query says so.
      (void)stream.is_done();
      look = time + look_every;
    }
  }
}

void Gate::start_hold(Nanoseconds hold) {
  deadline_ = now() + hold;
  state_ = State::counting;
}

TimePoint Gate::open() noexcept {
  State expected = State::counting;
  if (!state_.compare_exchange_strong(expected, State::opening)) {
    expected = State::armed;
    state_.compare_exchange_strong(expected, State::opening);
  }
  while (state_ != State::opened && state_ != State::idle) {
  }
  state_ = State::idle;
  return opened_at_;
}

void Gate::require_opened_by_host() const {
  if (load(flags()->timed_out) != 0) {
    throw GateError("the gate's kernel ended by its own timeout, not because the host opened it");
  }
}

void Gate::serve() {
  while (true) {
    state_.wait(State::idle);
    State state = state_;
    if (state == State::quitting) {
      return;
    }
    if (state == State::armed) {
      // The measuring thread may have moved: spinning on the sibling of its core would slow it
      // down.
      leave_measuring_cpu();
      while (state == State::armed) {
        state = state_;
      }
    }
    if (state == State::opened) {
      state_.wait(State::opened);
      continue;
    }
    const bool due = state == State::counting && now() >= deadline_.load();
    if (state == State::opening || due) {
      // The time is taken first: a call that returned before it cannot have seen the gate open.
      opened_at_ = now();
      store(flags()->open, 1);
      State from = state;
      // The thread under measurement may ask to open at the very deadline.
      while (!state_.compare_exchange_strong(from, State::opened)) {
      }
    }
  }
}

}  // namespace copybench
