// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/enqueued_chains.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "common/chaining/elements_asked.hpp"
#include "common/cuda/copy.hpp"

namespace copybench {

void enqueue_size_copy(const ChainRequest& request, StreamView stream) {
  copy_async(reinterpret_cast<std::byte*>(request.host_size),
             reinterpret_cast<const std::byte*>(request.device_size), sizeof(*request.host_size),
             Direction::d2h, stream);
}

void enqueue_data_copy(const ChainRequest& request, std::size_t first, std::size_t last,
                       StreamView stream) {
  if (first >= last) {
    return;
  }
  const std::size_t offset = first * request.element_bytes;
  copy_async(reinterpret_cast<std::byte*>(request.host_data) + offset,
             reinterpret_cast<const std::byte*>(request.device_data) + offset,
             (last - first) * request.element_bytes, Direction::d2h, stream);
}

void StaleArgumentsChain::begin(const ChainRequest& request) {
  // Read before the first copy is under way: a size that happens to arrive meanwhile would hide the
  // mistake now and then.
  const std::size_t stale = elements_asked(request);
  enqueue_size_copy(request, stream());
  enqueue_data_copy(request, stale, stream());
  record_end();
}

void StreamSyncChain::begin(const ChainRequest& request) {
  enqueue_size_copy(request, stream());
  stream().sync();
  enqueue_data_copy(request, elements_asked(request), stream());
  record_end();
}

void EventSyncChain::begin(const ChainRequest& request) {
  enqueue_size_copy(request, stream());
  size_arrived_.record(stream());
  size_arrived_.sync();
  enqueue_data_copy(request, elements_asked(request), stream());
  record_end();
}

void KnownSizeChain::begin(const ChainRequest& request) {
  if (!std::in_range<std::int32_t>(request.expected)) {
    throw std::out_of_range("there is room for no " + std::to_string(request.expected) +
                            " elements");
  }
  *request.host_size = static_cast<std::int32_t>(request.expected);
  enqueue_data_copy(request, elements_asked(request), stream());
  record_end();
}

void CopyCapacityChain::begin(const ChainRequest& request) {
  enqueue_size_copy(request, stream());
  enqueue_data_copy(request, request.capacity, stream());
  record_end();
}

}  // namespace copybench
