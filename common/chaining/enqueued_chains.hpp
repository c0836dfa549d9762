// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/chaining/chain.hpp"
#include "common/cuda/event.hpp"

namespace copybench {

/// Copies the size of a request to the host.
void enqueue_size_copy(const ChainRequest& request, StreamView stream);
/// Copies `elements` elements of a request to the host; none at all for zero.
void enqueue_data_copy(const ChainRequest& request, std::size_t elements, StreamView stream);

/// The strategies in which the calling thread enqueues both copies: an event behind the second one
/// tells when the chain is finished.
class EnqueuedChain : public Chain {
 public:
  explicit EnqueuedChain(StreamView stream) : stream_(stream) {}
  void start(const ChainRequest& request) final;
  void finish() final { done_.sync(); }

 protected:
  /// The length of the second copy, decided after the first was enqueued.
  [[nodiscard]] virtual std::size_t elements(const ChainRequest& request) = 0;
  [[nodiscard]] StreamView stream() const { return stream_; }

 private:
  StreamView stream_;
  Event done_;
};

class StaleArgumentsChain final : public EnqueuedChain {
 public:
  using EnqueuedChain::EnqueuedChain;

 private:
  std::size_t elements(const ChainRequest& request) override;
};

class StreamSyncChain final : public EnqueuedChain {
 public:
  using EnqueuedChain::EnqueuedChain;

 private:
  std::size_t elements(const ChainRequest& request) override;
};

class CopyCapacityChain final : public EnqueuedChain {
 public:
  using EnqueuedChain::EnqueuedChain;

 private:
  std::size_t elements(const ChainRequest& request) override;
};

}  // namespace copybench
