// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <span>

#include "common/measurement/clock.hpp"
#include "common/measurement/helper_thread.hpp"

namespace copybench {

/// Threads that touch memory all at once, each a part of it, so that the system has to give its
/// pages. They are started with the object and sleep in between.
class PageToucher {
 public:
  /// What pinning is counted in, on huge pages too.
  static constexpr std::size_t page = 4096;

  explicit PageToucher(std::size_t threads) : threads_(threads) {}

  /// Writes `mark` to the first byte of every page. `memory` begins with a page. Returns the time
  /// from the moment when the first of the threads began, with all of them there, to the end of the
  /// last.
  Nanoseconds touch(std::span<std::byte> memory, std::byte mark);

 private:
  struct Part {
    TimePoint begin{};
    TimePoint end{};
    // The last member: its job uses the others.
    HelperThread thread{};
  };

  std::deque<Part> threads_;
};

}  // namespace copybench
