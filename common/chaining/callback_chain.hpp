// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include <cuda_runtime_api.h>

#include "common/chaining/chain.hpp"
#include "common/cuda/event.hpp"

namespace copybench {

/// The answer that is often given, and is wrong: a stream callback behind the first copy calls
/// cudaMemcpyAsync and cudaEventRecord. CUDA permits no call of its own in a callback; it may say
/// so or not. Here to be measured as what it is.
class CallbackChain final : public Chain {
 public:
  using Chain::Chain;
  /// Waits for the callback, which uses this object. After an error the stream's end is no proof
  /// that it was called: a synchronise fails at once then, and CUDA still calls it.
  ~CallbackChain() override;
  CallbackChain(const CallbackChain&) = delete;
  CallbackChain& operator=(const CallbackChain&) = delete;
  CallbackChain(CallbackChain&&) = delete;
  CallbackChain& operator=(CallbackChain&&) = delete;
  [[nodiscard]] bool refused() const override;

 private:
  void begin(const ChainRequest& request) override;
  /// Waits for the stream, for the event that the callback should have recorded is not recorded,
  /// and a wait for such an event returns at once.
  void complete() override;
  static void CUDART_CB enqueue_from_callback(cudaStream_t stream, cudaError_t status, void* self);
  void call_from_callback(cudaStream_t stream, cudaError_t status);

  Event done_;
  ChainRequest request_{};
  bool in_flight_ = false;
  cudaError_t copied_ = cudaSuccess;
  cudaError_t recorded_ = cudaSuccess;
  std::atomic<int> to_be_called_{0};
};

}  // namespace copybench
