// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace copybench {

/// The one clock of the suite: monotonic, and the same for all threads of a process.
using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;
using Nanoseconds = std::chrono::nanoseconds;

[[nodiscard]] inline TimePoint now() { return Clock::now(); }

/// From entering the function to its return.
template <typename Function>
[[nodiscard]] Nanoseconds duration_of(const Function& function) {
  const TimePoint begin = now();
  function();
  return now() - begin;
}

/// What reading the clock twice in a row costs: the least a sample can show. Median of many pairs.
/// It is recorded with the results and never subtracted from them.
[[nodiscard]] Nanoseconds measure_clock_cost();

/// How long the calling thread has been on a processor.
[[nodiscard]] Nanoseconds thread_cpu_time();
/// The same of all threads of the process together, those of the driver among them.
[[nodiscard]] Nanoseconds process_cpu_time();

/// Waits by reading the clock, which is exact where sleeping is late by tens of microseconds.
void spin_until(TimePoint end);

}  // namespace copybench
