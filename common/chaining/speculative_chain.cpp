// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/speculative_chain.hpp"

#include <algorithm>
#include <utility>

#include "common/chaining/elements_asked.hpp"
#include "common/chaining/enqueued_chains.hpp"

namespace copybench {

SpeculativeChain::~SpeculativeChain() { finish_quietly(); }

void SpeculativeChain::begin(const ChainRequest& request) {
  request_ = request;
  copied_ = std::min(request.expected, request.capacity);
  enqueue_size_copy(request, stream());
  enqueue_data_copy(request, copied_, stream());
  done_.record(stream());
  in_flight_ = true;
}

void SpeculativeChain::complete() {
  if (!std::exchange(in_flight_, false)) {
    return;
  }
  done_.sync();
  const std::size_t size = elements_asked(request_);
  if (size > copied_) {
    enqueue_data_copy(request_, copied_, size, stream());
    done_.record(stream());
    done_.sync();
  }
}

}  // namespace copybench
