// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/polling.hpp"

#include <thread>

namespace copybench {

void SpinPause::pause() {
  ++count_;
  if (is_round()) {
    std::this_thread::yield();
    return;
  }
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

void Polling::pause() {
  SpinPause::pause();
  // Reading the clock each time would take as long as the pause.
  if (is_round() && now() > look_) {
    (void)stream_.is_done();
    look_ = now() + look_every;
  }
}

}  // namespace copybench
