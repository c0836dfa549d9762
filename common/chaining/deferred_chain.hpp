// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "common/chaining/chain.hpp"
#include "common/chaining/size_arrival.hpp"
#include "common/cuda/event.hpp"

namespace copybench {

/// No thread and no callback: start() sends the size on its way, and finish() waits for it and
/// enqueues the second copy. start() never waits for the device, and nobody is to be woken; but the
/// second copy does not begin before finish() is called, so it suits a caller who has little else
/// to do than to launch the next kernel.
class DeferredChain final : public Chain {
 public:
  DeferredChain(StreamView stream, std::unique_ptr<SizeArrival> arrival)
      : Chain(stream), arrival_(std::move(arrival)) {}
  ~DeferredChain() override;
  DeferredChain(const DeferredChain&) = delete;
  DeferredChain& operator=(const DeferredChain&) = delete;
  DeferredChain(DeferredChain&&) = delete;
  DeferredChain& operator=(DeferredChain&&) = delete;

 private:
  void begin(const ChainRequest& request) override;
  void complete() override;

  std::unique_ptr<SizeArrival> arrival_;
  Event done_;
  ChainRequest request_{};
  bool in_flight_ = false;
};

}  // namespace copybench
