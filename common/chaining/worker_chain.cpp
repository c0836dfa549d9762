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
  } catch (const std::exception&) {
    // The chain is over, one way or the other, and a destructor has nobody to tell.
    failure_ = nullptr;
  }
  {
    const std::scoped_lock lock(mutex_);
    quitting_ = true;
  }
  size_arrived_.notify_one();
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
  while (!settled_.wait_for(lock, 10ms, settled)) {
    // Without the lock: the host function needs it, and CUDA does not say what a query waits for.
    lock.unlock();
    try {
      (void)stream_.is_done();
    } catch (const std::exception&) {
      enter(State::idle);
      throw;
    }
    lock.lock();
  }
  const bool failed = state_ == State::failed;
  state_ = State::idle;
  if (failed) {
    std::rethrow_exception(failure_);
  }
}

void WorkerChain::size_has_arrived(void* self) {
  auto& chain = *static_cast<WorkerChain*>(self);
  chain.enter(State::size_arrived);
  chain.size_arrived_.notify_one();
}

void WorkerChain::enter(State state) {
  const std::scoped_lock lock(mutex_);
  state_ = state;
}

void WorkerChain::serve() {
  leave_measuring_cpu();
  const cudaError_t chosen = cudaSetDevice(device_);
  std::unique_lock lock(mutex_);
  while (true) {
    size_arrived_.wait(lock, [this] { return state_ == State::size_arrived || quitting_; });
    if (quitting_) {
      return;
    }
    lock.unlock();
    State outcome = State::enqueued;
    std::exception_ptr failure;
    try {
      check(chosen, "cudaSetDevice");
      enqueue_data_copy(request_, static_cast<std::size_t>(*request_.host_size), stream_);
      done_.record(stream_);
    } catch (const std::exception&) {
      outcome = State::failed;
      failure = std::current_exception();
    }
    lock.lock();
    state_ = outcome;
    failure_ = failure;
    settled_.notify_one();
  }
}

}  // namespace copybench
