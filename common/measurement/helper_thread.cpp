// SPDX-License-Identifier: Apache-2.0
#include "common/measurement/helper_thread.hpp"

#include <stdexcept>
#include <utility>

#include <cuda_runtime_api.h>

#include "common/cuda/check.hpp"
#include "common/measurement/quiet_cpu.hpp"
#include "common/start_thread.hpp"

namespace copybench {

HelperThread::HelperThread() {
  // A new thread begins on device 0, whatever the caller's is.
  check(cudaGetDevice(&device_), "cudaGetDevice");
  thread_ = start_thread([this] { serve(); });
  try {
    start([this] { check(cudaSetDevice(device_), "cudaSetDevice"); });
    join_job();
  } catch (...) {
    enter(State::quitting);
    throw;
  }
}

HelperThread::~HelperThread() {
  wait_while_started();
  enter(State::quitting);
}

void HelperThread::start(std::function<void()> job) {
  if (state_ != State::idle) {
    throw std::logic_error("a helper thread has a job already");
  }
  job_ = std::move(job);
  enter(State::started);
}

void HelperThread::join_job() {
  wait_while_started();
  state_ = State::idle;
  // What the job holds is the caller's again.
  job_ = nullptr;
  if (const std::exception_ptr failure = std::exchange(failure_, nullptr)) {
    std::rethrow_exception(failure);
  }
}

void HelperThread::wait_while_started() const { state_.wait(State::started); }

void HelperThread::enter(State state) {
  state_ = state;
  state_.notify_all();
}

void HelperThread::serve() {
  while (true) {
    State state = state_;
    while (state == State::idle || state == State::done) {
      state_.wait(state);
      state = state_;
    }
    if (state == State::quitting) {
      return;
    }
    try {
      // The measuring thread may have moved since the last job.
      leave_measuring_cpu();
      job_();
    } catch (...) {
      failure_ = std::current_exception();
    }
    enter(State::done);
  }
}

}  // namespace copybench
