// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/chaining/chain.hpp"
#include "common/cuda/event.hpp"

namespace copybench {

/// Copies the size of a request to the host.
void enqueue_size_copy(const ChainRequest& request, StreamView stream);
/// Copies `elements` elements of a request to the host; none at all for zero. Throws
/// std::out_of_range for more than the capacity, which a negative size is as well.
void enqueue_data_copy(const ChainRequest& request, std::size_t elements, StreamView stream);

/// The strategies in which the calling thread enqueues both copies: an event behind the second one
/// tells when the chain is finished.
class EnqueuedChain : public Chain {
 public:
  explicit EnqueuedChain(StreamView stream) : stream_(stream) {}
  void finish() final { done_.sync(); }

 protected:
  [[nodiscard]] StreamView stream() const { return stream_; }
  /// To be called when both copies are enqueued.
  void record_end() { done_.record(stream_); }

 private:
  StreamView stream_;
  Event done_;
};

class StaleArgumentsChain final : public EnqueuedChain {
 public:
  using EnqueuedChain::EnqueuedChain;
  void start(const ChainRequest& request) override;
};

class StreamSyncChain final : public EnqueuedChain {
 public:
  using EnqueuedChain::EnqueuedChain;
  void start(const ChainRequest& request) override;
};

class CopyCapacityChain final : public EnqueuedChain {
 public:
  using EnqueuedChain::EnqueuedChain;
  void start(const ChainRequest& request) override;
};

}  // namespace copybench
