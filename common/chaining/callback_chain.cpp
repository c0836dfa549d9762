// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/callback_chain.hpp"

#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "common/chaining/elements_asked.hpp"
#include "common/chaining/enqueued_chains.hpp"
#include "common/cuda/check.hpp"
#include "common/measurement/clock.hpp"

namespace copybench {

CallbackChain::~CallbackChain() {
  using std::chrono_literals::operator""s;
  using std::chrono_literals::operator""ms;
  (void)cudaStreamSynchronize(stream().get());
  // A driver that forgets it after an error must not hang the program.
  const TimePoint give_up = now() + 1s;
  while (to_be_called_ != 0 && now() < give_up) {
    std::this_thread::sleep_for(1ms);
  }
}

void CallbackChain::begin(const ChainRequest& request) {
  request_ = request;
  in_flight_ = true;
  enqueue_size_copy(request, stream());
  ++to_be_called_;
  const cudaError_t added = cudaStreamAddCallback(stream().get(), enqueue_from_callback, this, 0);
  if (added != cudaSuccess) {
    --to_be_called_;
    check(added, "cudaStreamAddCallback");
  }
}

void CallbackChain::enqueue_from_callback(cudaStream_t stream, cudaError_t status, void* self) {
  auto& chain = *static_cast<CallbackChain*>(self);
  chain.call_from_callback(stream, status);
  --chain.to_be_called_;  // the last access
}

void CallbackChain::call_from_callback(cudaStream_t stream, cudaError_t status) {
  if (status != cudaSuccess) {
    copied_ = status;
    recorded_ = status;
    return;
  }
  if (!has_room(request_)) {
    return;
  }
  const std::size_t bytes = elements_asked(request_) * request_.element_bytes;
  copied_ = cudaMemcpyAsync(request_.host_data, request_.device_data, bytes, cudaMemcpyDeviceToHost,
                            stream);
  recorded_ = cudaEventRecord(done_.get(), stream);
}

void CallbackChain::complete() {
  // Nobody asks for this request again: its memory may be gone by then.
  if (!std::exchange(in_flight_, false)) {
    return;
  }
  stream().sync();
  (void)elements_asked(request_);
  const auto require = [](cudaError_t code, const char* api) {
    if (code != cudaErrorNotPermitted) {
      check(code, std::string(api) + " in a stream callback");
    }
  };
  require(copied_, "cudaMemcpyAsync");
  require(recorded_, "cudaEventRecord");
  if (!refused()) {
    done_.sync();
  }
}

bool CallbackChain::refused() const {
  return copied_ == cudaErrorNotPermitted && recorded_ == cudaErrorNotPermitted;
}

}  // namespace copybench
