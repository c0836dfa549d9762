// SPDX-License-Identifier: Apache-2.0
#include "common/run/progress.hpp"

#include <algorithm>
#include <chrono>
#include <unistd.h>

#include "common/run/message.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

constexpr std::string_view erase_line = "\r\x1b[K";

std::string clock_text(Nanoseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time).count();
  const auto two_digits = [](std::chrono::seconds::rep value) {
    return (value < 10 ? "0" : "") + std::to_string(value);
  };
  if (seconds < 3600) {
    return std::to_string(seconds / 60) + ":" + two_digits(seconds % 60);
  }
  return std::to_string(seconds / 3600) + ":" + two_digits(seconds / 60 % 60) + ":" +
         two_digits(seconds % 60);
}

}  // namespace

std::string progress_line(std::size_t done, std::size_t total, Nanoseconds elapsed,
                          const std::string& current) {
  std::string line = std::to_string(done) + "/" + std::to_string(total);
  line += " (" + std::to_string(total == 0 ? 100 : done * 100 / total) + " %), ";
  line += clock_text(elapsed) + " elapsed";
  if (done > 0) {
    // As a floating-point number: nanoseconds times repetitions may not fit an integer.
    const double left = std::chrono::duration<double>(elapsed).count() *
                        static_cast<double>(total - std::min(done, total)) /
                        static_cast<double>(done);
    line +=
        ", " +
        clock_text(std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(left))) +
        " left";
  }
  return line + ": " + current;
}

void Progress::start(std::size_t total) {
  const std::scoped_lock lock(mutex_);
  is_on_ = true;
  is_terminal_ = isatty(STDERR_FILENO) == 1;
  total_ = total;
  started_ = now();
}

void Progress::begin(const std::string& name) {
  const std::scoped_lock lock(mutex_);
  if (is_on_) {
    show(name);
  }
}

void Progress::finish_repetition() {
  const std::scoped_lock lock(mutex_);
  ++done_;
}

void Progress::clear() {
  // Whoever holds the lock may be stuck in a write; the end of the process does not wait for that.
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (lock.owns_lock() && is_on_) {
    if (is_terminal_) {
      (void)write_all(STDERR_FILENO, erase_line);
    }
    is_on_ = false;
  }
}

void Progress::show(const std::string& name) {
  const Nanoseconds pause = is_terminal_ ? Nanoseconds(100ms) : Nanoseconds(5s);
  const TimePoint time = now();
  if (shown_ && time - *shown_ < pause) {
    return;
  }
  shown_ = time;
  const std::string line = progress_line(done_, total_, time - started_, name);
  if (is_terminal_) {
    (void)write_all(STDERR_FILENO, std::string(erase_line) + line);
  } else {
    say(line);
  }
}

}  // namespace copybench
