// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/worker_chain.hpp"

#include <chrono>
#include <utility>

#include "common/chaining/enqueued_chains.hpp"
#include "common/cuda/check.hpp"
#include "common/measurement/quiet_cpu.hpp"

namespace copybench {

WorkerChain::WorkerChain(StreamView stream, Waking waking)
    : WorkerChain(stream, waking, nullptr, CallerHelps::no) {}

WorkerChain::WorkerChain(StreamView stream, std::unique_ptr<SizeArrival> arrival, CallerHelps helps)
    : WorkerChain(stream, Waking::spin, std::move(arrival), helps) {}

WorkerChain::WorkerChain(StreamView stream, Waking waking, std::unique_ptr<SizeArrival> arrival,
                         CallerHelps helps)
    : stream_(stream), waking_(waking), arrival_(std::move(arrival)), helps_(helps) {
  // A new thread begins on device 0, whatever the caller's is.
  check(cudaGetDevice(&device_), "cudaGetDevice");
  worker_ = std::jthread([this] { serve(); });
}

WorkerChain::~WorkerChain() {
  try {
    finish();
  } catch (const std::exception&) {
    // The chain is over, one way or the other, and a destructor has nobody to tell. What the stream
    // still holds may use this object.
    (void)cudaStreamSynchronize(stream_.get());
  }
  enter(State::quitting);
}

void WorkerChain::start(const ChainRequest& request) {
  request_ = request;
  if (arrival_ != nullptr) {
    arrival_->enqueue(request, stream_);
    enter(State::waiting_for_size);
    return;
  }
  enqueue_size_copy(request, stream_);
  // Before the launch: the host function may run at once.
  enter(State::waiting_for_size);
  const cudaError_t launched = cudaLaunchHostFunc(stream_.get(), size_has_arrived, this);
  if (launched != cudaSuccess) {
    enter(State::idle);
    check(launched, "cudaLaunchHostFunc");
  }
}

void WorkerChain::finish() {
  if (state_ == State::idle) {
    return;
  }
  if (waking_ == Waking::condition_variable) {
    sleep_until_settled();
  } else {
    wait_until_settled();
  }
  const bool failed = state_ == State::failed;
  state_ = State::idle;
  if (failed) {
    std::rethrow_exception(std::exchange(failure_, nullptr));
  }
  done_.sync();
}

bool WorkerChain::is_settled(State state) {
  return state == State::enqueued || state == State::failed || state == State::idle;
}

void WorkerChain::sleep_until_settled() {
  using std::chrono_literals::operator""ms;
  std::unique_lock lock(mutex_);
  while (!settled_.wait_for(lock, 10ms, [this] { return is_settled(state_); })) {
    // Without the lock: the host function needs it, and CUDA does not say what a query waits for.
    lock.unlock();
    try {
      (void)stream_.is_done();
    } catch (const std::exception&) {
      throw_if_failed(std::current_exception());
    }
    lock.lock();
  }
}

void WorkerChain::wait_until_settled() {
  Polling polling(stream_);
  while (!is_settled(state_)) {
    try {
      if (helps_ == CallerHelps::yes) {
        look_for_size();
      }
      polling.pause();
    } catch (const std::exception&) {
      throw_if_failed(std::current_exception());
    }
  }
}

// Not when the worker has the size already: it meets the failure itself, and settles.
void WorkerChain::throw_if_failed(const std::exception_ptr& failure) {
  if (advance(State::waiting_for_size, State::idle)) {
    std::rethrow_exception(failure);
  }
}

void WorkerChain::look_for_size() {
  if (state_ == State::waiting_for_size && arrival_->has_arrived() &&
      advance(State::waiting_for_size, State::copying)) {
    copy(cudaSuccess);
  }
}

// Makes no CUDA call.
void WorkerChain::size_has_arrived(void* self) {
  static_cast<WorkerChain*>(self)->enter(State::size_arrived);
}

void WorkerChain::enter(State state) {
  const bool concerns_worker = state == State::size_arrived || state == State::quitting;
  if (waking_ == Waking::condition_variable) {
    {
      const std::scoped_lock lock(mutex_);
      state_ = state;
    }
    if (concerns_worker) {
      size_arrived_.notify_one();
    } else if (is_settled(state)) {
      settled_.notify_one();
    }
    return;
  }
  state_ = state;
  // A caller who waits spins.
  if (concerns_worker || (state == State::waiting_for_size && waking_ == Waking::spin)) {
    state_.notify_one();
  }
}

bool WorkerChain::advance(State from, State to) { return state_.compare_exchange_strong(from, to); }

void WorkerChain::serve() {
  leave_measuring_cpu();
  const cudaError_t chosen = cudaSetDevice(device_);
  while (wait_for_size()) {
    if (advance(State::size_arrived, State::copying)) {
      copy(chosen);
    }
  }
}

bool WorkerChain::wait_for_size() {
  const auto is_work = [](State state) {
    return state == State::size_arrived || state == State::quitting;
  };
  if (waking_ == Waking::condition_variable) {
    std::unique_lock lock(mutex_);
    size_arrived_.wait(lock, [&] { return is_work(state_); });
    return state_ != State::quitting;
  }
  State state = state_;
  while (!is_work(state)) {
    if (state == State::waiting_for_size && waking_ == Waking::spin) {
      spin_for_size();
    } else {
      state_.wait(state);
    }
    state = state_;
  }
  return state != State::quitting;
}

// Until the size is there, or nobody waits for it any more.
void WorkerChain::spin_for_size() {
  SpinPause between;
  while (state_ == State::waiting_for_size) {
    try {
      if (arrival_ != nullptr && arrival_->has_arrived()) {
        (void)advance(State::waiting_for_size, State::size_arrived);
      }
    } catch (const std::exception&) {
      if (advance(State::waiting_for_size, State::copying)) {
        failure_ = std::current_exception();
        enter(State::failed);
      }
    }
    between.pause();
  }
}

void WorkerChain::copy(cudaError_t device_chosen) {
  State outcome = State::enqueued;
  try {
    check(device_chosen, "cudaSetDevice");
    if (arrival_ != nullptr) {
      arrival_->deliver(request_);
    }
    enqueue_data_copy(request_, static_cast<std::size_t>(*request_.host_size), stream_);
    done_.record(stream_);
  } catch (const std::exception&) {
    outcome = State::failed;
    failure_ = std::current_exception();
  }
  enter(outcome);
}

}  // namespace copybench
