// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>

#include "common/measurement/clock.hpp"

namespace copybench {

/// "  12/340 (3 %), 0:07 elapsed, 3:11 left: CASE". The time left supposes that repetitions take as
/// long as those done, and is missing before the first.
[[nodiscard]] std::string progress_line(std::size_t done, std::size_t total, Nanoseconds elapsed,
                                        const std::string& current);

/// Progress on standard error: one line that is written over on a terminal, a new line every few
/// seconds elsewhere. Thread-safe.
class Progress {
 public:
  /// Silent before.
  void start(std::size_t total);
  void begin(const std::string& name);
  void finish_repetition();
  /// Takes the line off the terminal, for a message or the end.
  void clear();

 private:
  void show(const std::string& name);

  std::mutex mutex_;
  bool is_on_ = false;
  bool is_terminal_ = false;
  std::size_t total_ = 0;
  std::size_t done_ = 0;
  TimePoint started_{};
  std::optional<TimePoint> shown_;
};

}  // namespace copybench
