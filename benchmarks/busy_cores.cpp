// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/busy_cores.hpp"

#include <cstdint>

#include "common/measurement/quiet_cpu.hpp"

namespace copybench {

BusyCores::BusyCores(std::size_t threads) {
  for (std::size_t i = 0; i < threads; ++i) {
    threads_.emplace_back([this] { serve(); });
  }
}

BusyCores::~BusyCores() { enter(State::quitting); }

void BusyCores::enter(State state) {
  state_ = state;
  state_.notify_all();
}

void BusyCores::serve() {
  use_all_cpus();
  volatile std::uint32_t value = 1;
  for (State state = state_; state != State::quitting; state = state_) {
    if (state == State::asleep) {
      state_.wait(state);
      continue;
    }
    for (int i = 0; i < 1000; ++i) {
      value = value * 3 + 1;
    }
  }
}

}  // namespace copybench
