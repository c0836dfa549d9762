// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/size_arrival.hpp"

#include "common/chaining/enqueued_chains.hpp"
#include "common/kernels.hpp"

namespace copybench {

void EventArrival::enqueue(const ChainRequest& request, StreamView stream) {
  enqueue_size_copy(request, stream);
  copied_.record(stream);
}

MappedArrival::MappedArrival() : word_(MemoryKind::pinned_mapped, sizeof(std::uint64_t)) {
  *reinterpret_cast<std::uint64_t*>(word_.data()) = 0;
}

void MappedArrival::enqueue(const ChainRequest& request, StreamView stream) {
  ++number_;
  launch_publish_size(stream, request.device_size,
                      reinterpret_cast<std::uint64_t*>(word_.device_address()), number_);
}

std::uint64_t MappedArrival::load() const {
  return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(word_.data()))
      .load(std::memory_order_acquire);
}

bool MappedArrival::has_arrived() const { return published_number(load()) == number_; }

void MappedArrival::deliver(const ChainRequest& request) const {
  *request.host_size = published_size(load());
}

}  // namespace copybench
