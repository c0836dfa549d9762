// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <system_error>
#include <thread>
#include <utility>

namespace copybench {

/// A thread that calls `body`. Throws std::system_error, which says what was not to be had: by
/// itself it says no more than "Resource temporarily unavailable".
template <typename Body>
[[nodiscard]] std::jthread start_thread(Body&& body) {
  try {
    return std::jthread(std::forward<Body>(body));
  } catch (const std::system_error& error) {
    throw std::system_error(error.code(), "cannot start a thread");
  }
}

}  // namespace copybench
