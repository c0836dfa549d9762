// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/enqueued_chains.hpp"

#include <stdexcept>
#include <string>

#include "common/cuda/copy.hpp"

namespace copybench {

void enqueue_size_copy(const ChainRequest& request, StreamView stream) {
  copy_async(reinterpret_cast<std::byte*>(request.host_size),
             reinterpret_cast<const std::byte*>(request.device_size), sizeof(*request.host_size),
             Direction::d2h, stream);
}

void enqueue_data_copy(const ChainRequest& request, std::size_t first, std::size_t last,
                       StreamView stream) {
  if (last > request.capacity) {
    throw std::out_of_range("the device asks for " + std::to_string(last) +
                            " elements, more than the capacity of " +
                            std::to_string(request.capacity));
  }
  if (first >= last) {
    return;
  }
  const std::size_t offset = first * request.element_bytes;
  copy_async(reinterpret_cast<std::byte*>(request.host_data) + offset,
             reinterpret_cast<const std::byte*>(request.device_data) + offset,
             (last - first) * request.element_bytes, Direction::d2h, stream);
}

void StaleArgumentsChain::start(const ChainRequest& request) {
  // Read before the first copy is under way: a size that happens to arrive meanwhile would hide the
  // mistake now and then.
  const auto stale = static_cast<std::size_t>(*request.host_size);
  enqueue_size_copy(request, stream());
  enqueue_data_copy(request, stale, stream());
  record_end();
}

void StreamSyncChain::start(const ChainRequest& request) {
  enqueue_size_copy(request, stream());
  stream().sync();
  enqueue_data_copy(request, static_cast<std::size_t>(*request.host_size), stream());
  record_end();
}

void EventSyncChain::start(const ChainRequest& request) {
  enqueue_size_copy(request, stream());
  size_arrived_.record(stream());
  size_arrived_.sync();
  enqueue_data_copy(request, static_cast<std::size_t>(*request.host_size), stream());
  record_end();
}

void KnownSizeChain::start(const ChainRequest& request) {
  *request.host_size = static_cast<std::int32_t>(request.expected);
  enqueue_data_copy(request, request.expected, stream());
  record_end();
}

void CopyCapacityChain::start(const ChainRequest& request) {
  enqueue_size_copy(request, stream());
  enqueue_data_copy(request, request.capacity, stream());
  record_end();
}

}  // namespace copybench
