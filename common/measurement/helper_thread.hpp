// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <thread>

namespace copybench {

/// A thread beside the measuring one, on another core and on the device of the thread that creates
/// it. It does one job when told and sleeps in between: starting a job costs a wake-up, and nothing
/// while none is running. Not thread-safe: one thread starts its jobs and joins them.
///
///     HelperThread helper;
///     helper.start([&] { ... });
///     ...
///     helper.join_job();
class HelperThread {
 public:
  /// Throws CudaError when there is no device.
  HelperThread();
  /// Waits for the job that is running, if any: what it waits for must come without this thread.
  ~HelperThread();
  HelperThread(const HelperThread&) = delete;
  HelperThread& operator=(const HelperThread&) = delete;
  HelperThread(HelperThread&&) = delete;
  HelperThread& operator=(HelperThread&&) = delete;

  /// Throws std::logic_error when the last job was not joined.
  void start(std::function<void()> job);
  /// Returns once the job is done, and throws what it threw. Harmless when none was started.
  void join_job();

 private:
  enum class State : int { idle, started, done, quitting };

  void serve();
  void enter(State state);
  void wait_while_started() const;

  int device_ = 0;
  std::function<void()> job_;
  std::exception_ptr failure_;
  std::atomic<State> state_{State::idle};
  std::jthread thread_;
};

}  // namespace copybench
