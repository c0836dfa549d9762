// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "common/measurement/clock.hpp"

namespace copybench {

/// Keeps the measuring thread on a processor that nobody else uses.
///
/// A call of one or two microseconds takes half as long again while another program, or another
/// guest of the same host, works on the sibling of the processor's core, and then all figures of a
/// run differ from those of the next. The load of a sibling cannot be read, but a short arithmetic
/// loop shows it. All of it happens outside the timed region.
class QuietCpu {
 public:
  /// Considers the processors that the calling thread may use now.
  QuietCpu();

  /// Stays on those of the processors that are in `near`, if any: the ones close to the device.
  /// Buffers stay where they were first touched, so the thread must not wander between nodes.
  void prefer(const std::vector<int>& near);

  /// Leaves the calling thread on its processor while that one is as fast as the best one seen, and
  /// moves it to the fastest otherwise. Takes a fraction of a millisecond when it need not move.
  void settle();

  /// Whether the thread's processor is as fast as settle() left it. Asked after a batch, it tells
  /// whether a neighbour got busy meanwhile.
  [[nodiscard]] bool is_quiet() const;

  /// The processor that the thread was left on, or -1 before the first settle().
  [[nodiscard]] int current() const noexcept { return current_; }
  /// How often settle() moved the thread.
  [[nodiscard]] int moves() const noexcept { return moves_; }

 private:
  [[nodiscard]] bool is_fast(Nanoseconds cost) const;
  [[nodiscard]] int find_fastest();

  std::vector<int> allowed_;
  Nanoseconds best_ = Nanoseconds::max();
  int current_ = -1;
  int moves_ = 0;
};

/// Remembers the processors of the process. Call it before the first settle().
void remember_all_cpus();

/// The processors of the process, as remembered, or else those of the calling thread.
[[nodiscard]] std::vector<int> all_cpus();

/// Confines the calling thread, as the one that measures, to where the measuring thread of another
/// process is. Does nothing for an empty list.
void measure_on(const std::vector<int>& cpus);

/// How many processors the process may use, wherever its measuring thread happens to be confined.
[[nodiscard]] std::size_t cpu_count();

/// Lets the calling thread run anywhere again but on the core of the measuring thread, unless there
/// is no other. Threads inherit the place of the thread that starts them: a helper of the measuring
/// thread begins with this, or it would take that thread's time.
void leave_measuring_cpu();

/// Lets the calling thread run on every processor of the process, for threads that are measured
/// themselves while the measuring one sleeps.
void use_all_cpus();

}  // namespace copybench
