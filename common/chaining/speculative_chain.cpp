// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/speculative_chain.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "common/chaining/enqueued_chains.hpp"

namespace copybench {

SpeculativeChain::~SpeculativeChain() {
  try {
    finish();
  } catch (const std::exception&) {
    // The chain is over, one way or the other, and a destructor has nobody to tell.
    in_flight_ = false;
  }
}

void SpeculativeChain::start(const ChainRequest& request) {
  request_ = request;
  copied_ = std::min(request.expected, request.capacity);
  enqueue_size_copy(request, stream_);
  enqueue_data_copy(request, copied_, stream_);
  done_.record(stream_);
  in_flight_ = true;
}

void SpeculativeChain::finish() {
  if (!std::exchange(in_flight_, false)) {
    return;
  }
  done_.sync();
  const auto size = static_cast<std::size_t>(*request_.host_size);
  if (size > copied_) {
    enqueue_data_copy(request_, copied_, size, stream_);
    done_.record(stream_);
    done_.sync();
  }
}

}  // namespace copybench
