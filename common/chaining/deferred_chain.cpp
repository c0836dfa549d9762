// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/deferred_chain.hpp"

#include <exception>
#include <utility>

#include "common/chaining/enqueued_chains.hpp"
#include "common/chaining/polling.hpp"

namespace copybench {

DeferredChain::~DeferredChain() {
  try {
    finish();
  } catch (const std::exception&) {
    // The kernel of an arrival may still be to come, and writes to memory of this object.
    (void)cudaStreamSynchronize(stream_.get());
  }
}

void DeferredChain::start(const ChainRequest& request) {
  request_ = request;
  arrival_->enqueue(request, stream_);
  in_flight_ = true;
}

void DeferredChain::finish() {
  // Whatever happens below: nobody asks for this request again.
  if (!std::exchange(in_flight_, false)) {
    return;
  }
  Polling polling(stream_);
  while (!arrival_->has_arrived()) {
    polling.pause();
  }
  arrival_->deliver(request_);
  enqueue_data_copy(request_, static_cast<std::size_t>(*request_.host_size), stream_);
  done_.record(stream_);
  done_.sync();
}

}  // namespace copybench
