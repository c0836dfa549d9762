// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/worker_chain.hpp"

#include <chrono>

#include "common/chaining/enqueued_chains.hpp"
#include "common/cuda/check.hpp"
#include "common/measurement/quiet_cpu.hpp"

namespace copybench {

WorkerChain::WorkerChain(StreamView stream) : stream_(stream) {
  // A new thread begins on device 0, whatever the caller's is.
  check(cudaGetDevice(&device_), "cudaGetDevice");
  worker_ = std::jthread([this] { serve(); });
}

WorkerChain::~WorkerChain() {
  try {
    finish();
  } catch (...) {
    // The chain is over, one way or the other; a destructor has nobody to tell.
  }
  enter(State::quitting);
}

void WorkerChain::start(const ChainRequest& request) {
  request_ = request;
  enqueue_size_copy(request, stream_);
  enter(State::waiting_for_size);
  const cudaError_t launched = cudaLaunchHostFunc(stream_.get(), size_has_arrived, this);
  if (launched != cudaSuccess) {
    enter(State::idle);
    check(launched, "cudaLaunchHostFunc");
  }
}

void WorkerChain::finish() {
  wait_until_enqueued();
  done_.sync();
}

void WorkerChain::wait_until_enqueued() {
  using std::chrono_literals::operator""ms;
  std::unique_lock lock(mutex_);
  const auto settled = [this] {
    return state_ == State::enqueued || state_ == State::failed || state_ == State::idle;
  };
  while (!changed_.wait_for(lock, 10ms, settled)) {
    try {
      (void)stream_.is_done();
    } catch (...) {
      state_ = State::idle;
      throw;
    }
  }
  const bool failed = state_ == State::failed;
  state_ = State::idle;
  if (failed) {
    std::rethrow_exception(failure_);
  }
}

void WorkerChain::size_has_arrived(void* self) {
  static_cast<WorkerChain*>(self)->enter(State::size_arrived);
}

void WorkerChain::enter(State state) {
  {
    const std::lock_guard lock(mutex_);
    state_ = state;
  }
  changed_.notify_all();
}

void WorkerChain::serve() {
  leave_measuring_cpu();
  (void)cudaSetDevice(device_);
  while (true) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock,
                    [this] { return state_ == State::size_arrived || state_ == State::quitting; });
      if (state_ == State::quitting) {
        return;
      }
    }
    try {
      enqueue_data_copy(request_, static_cast<std::size_t>(*request_.host_size), stream_);
      done_.record(stream_);
      enter(State::enqueued);
    } catch (...) {
      failure_ = std::current_exception();
      enter(State::failed);
    }
  }
}

}  // namespace copybench
