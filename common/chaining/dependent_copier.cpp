// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/dependent_copier.hpp"

#include <stdexcept>

namespace copybench {

DependentCopier::DependentCopier(StreamView stream, ChainStrategy strategy)
    : host_size_(MemoryKind::pinned, sizeof(std::int32_t)), chain_(make_chain(strategy, stream)) {
  if (!is_correct(strategy) || strategy == ChainStrategy::known_size) {
    throw std::invalid_argument("this strategy does not copy what the device says");
  }
}

void DependentCopier::start(const ChainRequest& request) {
  host_data_ = request.host_data;
  chain_->start(request);
}

std::size_t DependentCopier::finish_size() {
  chain_->finish();
  last_size_ = static_cast<std::size_t>(*host_size());
  return last_size_;
}

std::int32_t* DependentCopier::host_size() const {
  return reinterpret_cast<std::int32_t*>(host_size_.data());
}

}  // namespace copybench
