// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/deferred_chain.hpp"

#include <utility>

#include "common/chaining/elements_asked.hpp"
#include "common/chaining/enqueued_chains.hpp"
#include "common/chaining/polling.hpp"

namespace copybench {

DeferredChain::~DeferredChain() { finish_quietly(); }

void DeferredChain::begin(const ChainRequest& request) {
  request_ = request;
  arrival_->enqueue(request, stream());
  in_flight_ = true;
}

void DeferredChain::complete() {
  // Whatever happens below: nobody asks for this request again.
  if (!std::exchange(in_flight_, false)) {
    return;
  }
  Polling polling(stream());
  while (!arrival_->has_arrived()) {
    polling.pause();
  }
  arrival_->deliver(request_);
  enqueue_data_copy(request_, elements_asked(request_), stream());
  done_.record(stream());
  done_.sync();
}

}  // namespace copybench
