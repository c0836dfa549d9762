// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <vector>

#include "common/cuda/copy.hpp"
#include "common/measurement/clock.hpp"
#include "common/measurement/helper_thread.hpp"
#include "common/measurement/verification.hpp"

namespace copybench {

/// A copy of a whole region to another one of the same size, in a stream of its own.
struct StreamedCopy {
  Direction direction;
  Region source;
  Region destination;
  StreamView stream;
};

/// Times several copies, each alone and all at once. Not thread-safe. Throws CudaError.
class CopiesAtOnce {
 public:
  /// The copies are dealt out to `threads` threads, one of which is the caller. There are at least
  /// as many copies as threads.
  CopiesAtOnce(std::vector<StreamedCopy> copies, std::size_t threads);

  [[nodiscard]] const std::vector<StreamedCopy>& copies() const { return copies_; }

  /// Makes one after the other, by the calling thread, and returns the sum of their times: each
  /// from entering the call until its stream is drained.
  [[nodiscard]] Nanoseconds time_alone() const;
  /// Makes all of them at once, each thread enqueueing its own before it waits for them, and
  /// returns the time from the first call until the last stream is drained.
  [[nodiscard]] Nanoseconds time_together();

 private:
  void start_helpers(std::atomic<std::size_t>& arrived);
  void join_helpers();
  void make(const StreamedCopy& copy) const;
  void make_those_of(std::size_t thread);

  std::vector<StreamedCopy> copies_;
  // When each thread had done its share.
  std::vector<TimePoint> ends_;
  std::deque<HelperThread> helpers_;
};

}  // namespace copybench
