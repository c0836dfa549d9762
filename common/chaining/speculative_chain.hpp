// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/chaining/chain.hpp"
#include "common/cuda/event.hpp"

namespace copybench {

/// Does not wait for the size to copy what it will probably name: start() enqueues the size and
/// `expected` elements behind it, at most the capacity. finish() copies the rest where the device
/// names more, which costs what waiting for the size would have cost. Where it names less, elements
/// past the size have been written.
class SpeculativeChain final : public Chain {
 public:
  using Chain::Chain;
  ~SpeculativeChain() override;
  SpeculativeChain(const SpeculativeChain&) = delete;
  SpeculativeChain& operator=(const SpeculativeChain&) = delete;
  SpeculativeChain(SpeculativeChain&&) = delete;
  SpeculativeChain& operator=(SpeculativeChain&&) = delete;

 private:
  void begin(const ChainRequest& request) override;
  void complete() override;

  Event done_;
  ChainRequest request_{};
  std::size_t copied_ = 0;
  bool in_flight_ = false;
};

}  // namespace copybench
