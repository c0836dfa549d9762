// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <thread>

#include "common/chaining/chain.hpp"

namespace copybench {

/// Another chain of the same stream, all of it on a thread of its own: start() hands over the
/// request, which is two stores, and makes no CUDA call. The thread burns a processor from the
/// first chain on; when no request has come for some tens of milliseconds it sleeps, and the next
/// start() has to wake it.
class OffloadedChain final : public Chain {
 public:
  /// Throws CudaError when there is no device.
  OffloadedChain(StreamView stream, std::unique_ptr<Chain> chain);
  ~OffloadedChain() override;
  OffloadedChain(const OffloadedChain&) = delete;
  OffloadedChain& operator=(const OffloadedChain&) = delete;
  OffloadedChain(OffloadedChain&&) = delete;
  OffloadedChain& operator=(OffloadedChain&&) = delete;

 private:
  enum class State : int { idle, started, done, quitting };

  void begin(const ChainRequest& request) override;
  void complete() override;

  void serve();
  /// Returns what it is, once there is something to do.
  [[nodiscard]] State wait_for_work();
  void work(cudaError_t device_chosen);

  std::unique_ptr<Chain> chain_;
  ChainRequest request_{};
  int device_ = 0;
  std::exception_ptr failure_;
  std::atomic<State> state_{State::idle};
  std::jthread worker_;
};

}  // namespace copybench
