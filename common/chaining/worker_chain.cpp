// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/worker_chain.hpp"

#include <chrono>
#include <utility>

#include "common/chaining/elements_asked.hpp"
#include "common/chaining/enqueued_chains.hpp"
#include "common/chaining/polling.hpp"
#include "common/cuda/check.hpp"
#include "common/measurement/quiet_cpu.hpp"
#include "common/start_thread.hpp"

namespace copybench {

WorkerChain::WorkerChain(StreamView stream, Waking waking)
    : WorkerChain(stream, waking, nullptr, CallerHelps::no) {}

WorkerChain::WorkerChain(StreamView stream, std::unique_ptr<SizeArrival> arrival, CallerHelps helps)
    : WorkerChain(stream, Waking::spin, std::move(arrival), helps) {}

WorkerChain::WorkerChain(StreamView stream, Waking waking, std::unique_ptr<SizeArrival> arrival,
                         CallerHelps helps)
    : Chain(stream), arrival_(std::move(arrival)), helps_(helps), state_(waking) {
  // A new thread begins on device 0, whatever the caller's is.
  check(cudaGetDevice(&device_), "cudaGetDevice");
  worker_ = start_thread([this] { serve(); });
}

WorkerChain::~WorkerChain() {
  finish_quietly();
  state_.enter(Step::quitting);
}

void WorkerChain::begin(const ChainRequest& request) {
  request_ = request;
  state_.next_request();
  if (arrival_ != nullptr) {
    arrival_->enqueue(request, stream());
    state_.enter(Step::waiting_for_size);
    return;
  }
  enqueue_size_copy(request, stream());
  // Before the launch: the host function may run at once.
  state_.enter(Step::waiting_for_size);
  const cudaError_t launched = cudaLaunchHostFunc(stream().get(), size_has_arrived, this);
  if (launched != cudaSuccess) {
    state_.enter(Step::idle);
    check(launched, "cudaLaunchHostFunc");
  }
}

// Makes no CUDA call.
void WorkerChain::size_has_arrived(void* self) {
  WorkerState& state = static_cast<WorkerChain*>(self)->state_;
  const Seen seen = state.look();
  // Not when the caller has given up meanwhile.
  if (seen.step() == Step::waiting_for_size) {
    (void)state.advance(seen, Step::size_arrived);
  }
}

void WorkerChain::complete() {
  if (state_.look().step() == Step::idle) {
    return;
  }
  if (state_.waking() == Waking::condition_variable) {
    sleep_until_settled();
  } else {
    spin_until_settled();
  }
  const bool failed = state_.look().step() == Step::failed;
  state_.enter(Step::idle);
  if (failed) {
    std::rethrow_exception(std::exchange(failure_, nullptr));
  }
  done_.sync();
}

void WorkerChain::sleep_until_settled() {
  while (!state_.sleep_until_settled(std::chrono::milliseconds(10))) {
    try {
      (void)stream().is_done();
    } catch (const std::exception&) {
      throw_if_waiting(std::current_exception());
    }
  }
}

void WorkerChain::spin_until_settled() {
  Polling polling(stream());
  for (Seen seen = state_.look(); !seen.is_settled(); seen = state_.look()) {
    try {
      if (helps_ == CallerHelps::yes) {
        look_for_size(seen);
      }
      polling.pause();
    } catch (const std::exception&) {
      throw_if_waiting(std::current_exception());
    }
  }
}

// Not when the worker has the size already: it meets the failure itself, and settles.
void WorkerChain::throw_if_waiting(const std::exception_ptr& failure) {
  const Seen seen = state_.look();
  if (seen.step() == Step::waiting_for_size && state_.advance(seen, Step::idle)) {
    std::rethrow_exception(failure);
  }
}

void WorkerChain::look_for_size(Seen seen) {
  if (seen.step() == Step::waiting_for_size && arrival_->has_arrived() &&
      state_.advance(seen, Step::copying)) {
    copy(cudaSuccess);
  }
}

void WorkerChain::serve() {
  leave_measuring_cpu();
  const cudaError_t chosen = cudaSetDevice(device_);
  for (Seen seen = state_.wait_for_work(); seen.step() != Step::quitting;
       seen = state_.wait_for_work()) {
    if (seen.step() == Step::waiting_for_size) {
      spin_for_size(seen);
    } else if (state_.advance(seen, Step::copying)) {
      copy(chosen);
    }
  }
}

// Until the size is there, or nobody waits for it any more.
void WorkerChain::spin_for_size(Seen seen) {
  SpinPause between;
  while (state_.look().word() == seen.word()) {
    try {
      if (arrival_ != nullptr && arrival_->has_arrived()) {
        (void)state_.advance(seen, Step::size_arrived);
      }
    } catch (const std::exception&) {
      if (state_.advance(seen, Step::copying)) {
        failure_ = std::current_exception();
        state_.enter(Step::failed);
      }
    }
    between.pause();
  }
}

void WorkerChain::copy(cudaError_t device_chosen) {
  Step outcome = Step::enqueued;
  try {
    check(device_chosen, "cudaSetDevice");
    if (arrival_ != nullptr) {
      arrival_->deliver(request_);
    }
    enqueue_data_copy(request_, elements_asked(request_), stream());
    done_.record(stream());
  } catch (const std::exception&) {
    outcome = Step::failed;
    failure_ = std::current_exception();
  }
  state_.enter(outcome);
}

}  // namespace copybench
