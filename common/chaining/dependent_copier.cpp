// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/dependent_copier.hpp"

#include <stdexcept>
#include <string>

namespace copybench {

DependentCopier::DependentCopier(StreamView stream, ChainStrategy strategy)
    : host_size_(MemoryKind::pinned, sizeof(std::int32_t)), chain_(make_chain(strategy, stream)) {
  if (!is_correct(strategy) || strategy == ChainStrategy::known_size) {
    throw std::invalid_argument("this strategy does not copy what the device says");
  }
}

void DependentCopier::start(const ChainRequest& request) {
  host_data_ = request.host_data;
  room_ = request.capacity;
  element_bytes_ = request.element_bytes;
  refusal_ = nullptr;
  try {
    chain_->start(request);
  } catch (const std::out_of_range&) {
    // Strategies that wait for the size here know it already; finish() is where it is looked for.
    refusal_ = std::current_exception();
  }
}

std::size_t DependentCopier::finish_size(std::size_t element_bytes) {
  if (element_bytes != element_bytes_) {
    throw std::invalid_argument("finish() asks for elements of another size than start() did");
  }
  if (refusal_) {
    std::rethrow_exception(refusal_);
  }
  chain_->finish();
  const std::int32_t size = *host_size();
  if (size < 0 || static_cast<std::size_t>(size) > room_) {
    throw std::out_of_range("the device asks for " + std::to_string(size) +
                            " elements where there is room for " + std::to_string(room_));
  }
  last_size_ = static_cast<std::size_t>(size);
  return last_size_;
}

std::int32_t* DependentCopier::host_size() const {
  return reinterpret_cast<std::int32_t*>(host_size_.data());
}

}  // namespace copybench
