// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/callback_chain.hpp"

#include "common/chaining/enqueued_chains.hpp"
#include "common/cuda/check.hpp"

namespace copybench {

CallbackChain::~CallbackChain() { (void)cudaStreamSynchronize(stream_.get()); }

void CallbackChain::start(const ChainRequest& request) {
  request_ = request;
  enqueue_size_copy(request, stream_);
  check(cudaStreamAddCallback(stream_.get(), enqueue_from_callback, this, 0),
        "cudaStreamAddCallback");
}

void CallbackChain::enqueue_from_callback(cudaStream_t stream, cudaError_t status, void* self) {
  auto& chain = *static_cast<CallbackChain*>(self);
  if (status != cudaSuccess) {
    chain.copied_ = status;
    chain.recorded_ = status;
    return;
  }
  const ChainRequest& request = chain.request_;
  const auto elements = static_cast<std::size_t>(*request.host_size);
  if (elements > request.capacity) {
    chain.copied_ = cudaErrorInvalidValue;
    return;
  }
  const std::size_t bytes = elements * sizeof(double);
  chain.copied_ = cudaMemcpyAsync(request.host_data, request.device_data, bytes,
                                  cudaMemcpyDeviceToHost, stream);
  chain.recorded_ = cudaEventRecord(chain.done_.get(), stream);
}

void CallbackChain::finish() {
  stream_.sync();
  for (const cudaError_t code : {copied_, recorded_}) {
    if (code != cudaErrorNotPermitted) {
      check(code, "CUDA call in a stream callback");
    }
  }
  if (!refused()) {
    done_.sync();
  }
}

bool CallbackChain::refused() const {
  return copied_ == cudaErrorNotPermitted && recorded_ == cudaErrorNotPermitted;
}

}  // namespace copybench
