// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/enqueued_chains.hpp"

#include "common/cuda/copy.hpp"

namespace copybench {

void enqueue_size_copy(const ChainRequest& request, StreamView stream) {
  copy_async(reinterpret_cast<std::byte*>(request.host_size),
             reinterpret_cast<const std::byte*>(request.device_size), sizeof(*request.host_size),
             Direction::d2h, stream);
}

void enqueue_data_copy(const ChainRequest& request, std::size_t elements, StreamView stream) {
  if (elements == 0) {
    return;
  }
  copy_async(reinterpret_cast<std::byte*>(request.host_data),
             reinterpret_cast<const std::byte*>(request.device_data), elements * sizeof(double),
             Direction::d2h, stream);
}

void EnqueuedChain::start(const ChainRequest& request) {
  enqueue_size_copy(request, stream_);
  enqueue_data_copy(request, elements(request), stream_);
  done_.record(stream_);
}

std::size_t StaleArgumentsChain::elements(const ChainRequest& request) {
  return static_cast<std::size_t>(*request.host_size);
}

std::size_t StreamSyncChain::elements(const ChainRequest& request) {
  stream().sync();
  return static_cast<std::size_t>(*request.host_size);
}

std::size_t CopyCapacityChain::elements(const ChainRequest& request) { return request.capacity; }

}  // namespace copybench
