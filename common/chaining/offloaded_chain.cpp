// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/offloaded_chain.hpp"

#include <chrono>
#include <utility>

#include "common/chaining/polling.hpp"
#include "common/cuda/check.hpp"
#include "common/measurement/clock.hpp"
#include "common/measurement/quiet_cpu.hpp"
#include "common/start_thread.hpp"

namespace copybench {
namespace {

// Far longer than a loop of kernels and copies is away between two chains.
constexpr Nanoseconds awake = std::chrono::milliseconds(50);

}  // namespace

OffloadedChain::OffloadedChain(StreamView stream, std::unique_ptr<Chain> chain)
    : Chain(stream), chain_(std::move(chain)) {
  // A new thread begins on device 0, whatever the caller's is.
  check(cudaGetDevice(&device_), "cudaGetDevice");
  worker_ = start_thread([this] { serve(); });
}

OffloadedChain::~OffloadedChain() {
  finish_quietly();
  state_ = State::quitting;
  state_.notify_all();
}

void OffloadedChain::begin(const ChainRequest& request) {
  request_ = request;
  state_ = State::started;
  state_.notify_all();
}

// How long that may take is the affair of the other chain, whose finish() ends after a failure too.
void OffloadedChain::complete() {
  SpinPause between;
  while (state_ == State::started) {
    between.pause();
  }
  state_ = State::idle;
  if (const std::exception_ptr failure = std::exchange(failure_, nullptr)) {
    std::rethrow_exception(failure);
  }
}

void OffloadedChain::serve() {
  leave_measuring_cpu();
  const cudaError_t chosen = cudaSetDevice(device_);
  while (wait_for_work() != State::quitting) {
    work(chosen);
  }
}

OffloadedChain::State OffloadedChain::wait_for_work() {
  const auto is_work = [](State state) {
    return state == State::started || state == State::quitting;
  };
  SpinPause between;
  const TimePoint tired = now() + awake;
  State state = state_;
  while (!is_work(state)) {
    if (now() > tired) {
      state_.wait(state);
    } else {
      between.pause();
    }
    state = state_;
  }
  return state;
}

void OffloadedChain::work(cudaError_t device_chosen) {
  try {
    check(device_chosen, "cudaSetDevice");
    chain_->start(request_);
    chain_->finish();
  } catch (const std::exception&) {
    failure_ = std::current_exception();
  }
  state_ = State::done;
}

}  // namespace copybench
