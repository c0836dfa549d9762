// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/chaining/chain.hpp"
#include "common/cuda/event.hpp"

namespace copybench {

/// Copies the size of a request to the host.
void enqueue_size_copy(const ChainRequest& request, StreamView stream);
/// Copies the elements from `first` to `last`, which is none of them, of a request to the host;
/// makes no call for none at all. There has to be room for them: see elements_asked.hpp.
void enqueue_data_copy(const ChainRequest& request, std::size_t first, std::size_t last,
                       StreamView stream);
inline void enqueue_data_copy(const ChainRequest& request, std::size_t elements,
                              StreamView stream) {
  enqueue_data_copy(request, 0, elements, stream);
}

/// The strategies in which start() enqueues both copies: an event behind the second one tells when
/// the chain is finished.
class EnqueuedChain : public Chain {
 public:
  using Chain::Chain;
  ~EnqueuedChain() override {
    if (in_flight_) {
      (void)cudaEventSynchronize(done_.get());
    }
  }
  EnqueuedChain(const EnqueuedChain&) = delete;
  EnqueuedChain& operator=(const EnqueuedChain&) = delete;
  EnqueuedChain(EnqueuedChain&&) = delete;
  EnqueuedChain& operator=(EnqueuedChain&&) = delete;

 protected:
  /// To be called when both copies are enqueued.
  void record_end() {
    done_.record(stream());
    in_flight_ = true;
  }

 private:
  void complete() final {
    in_flight_ = false;
    done_.sync();
  }

  Event done_;
  bool in_flight_ = false;
};

class StaleArgumentsChain final : public EnqueuedChain {
 public:
  using EnqueuedChain::EnqueuedChain;

 private:
  void begin(const ChainRequest& request) override;
};

class StreamSyncChain final : public EnqueuedChain {
 public:
  using EnqueuedChain::EnqueuedChain;

 private:
  void begin(const ChainRequest& request) override;
};

class EventSyncChain final : public EnqueuedChain {
 public:
  EventSyncChain(StreamView stream, EventWait wait) : EnqueuedChain(stream), size_arrived_(wait) {}

 private:
  void begin(const ChainRequest& request) override;

  Event size_arrived_;
};

/// Writes the expected size to host memory itself: there is nothing to fetch.
class KnownSizeChain final : public EnqueuedChain {
 public:
  using EnqueuedChain::EnqueuedChain;

 private:
  void begin(const ChainRequest& request) override;
};

class CopyCapacityChain final : public EnqueuedChain {
 public:
  using EnqueuedChain::EnqueuedChain;

 private:
  void begin(const ChainRequest& request) override;
};

}  // namespace copybench
