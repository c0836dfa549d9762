// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/size_arrival.hpp"

#include "common/chaining/enqueued_chains.hpp"
#include "common/cuda/write_value.hpp"
#include "common/kernels.hpp"

namespace copybench {

void EventArrival::enqueue(const ChainRequest& request, StreamView stream) {
  enqueue_size_copy(request, stream);
  copied_.record(stream);
}

WrittenArrival::WrittenArrival() : word_(MemoryKind::pinned_mapped, sizeof(std::uint32_t)) {
  *reinterpret_cast<std::uint32_t*>(word_.data()) = 0;
}

void WrittenArrival::enqueue(const ChainRequest& request, StreamView stream) {
  ++number_;
  enqueue_size_copy(request, stream);
  write_value(stream, reinterpret_cast<std::uint32_t*>(word_.device_address()), number_);
}

bool WrittenArrival::has_arrived() const {
  return std::atomic_ref(*reinterpret_cast<std::uint32_t*>(word_.data()))
             .load(std::memory_order_acquire) == number_;
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
