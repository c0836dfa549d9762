// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/dependent_copier.hpp"

#include <stdexcept>

#include "common/chaining/elements_asked.hpp"

namespace copybench {

DependentCopier::DependentCopier(StreamView stream, ChainStrategy strategy)
    : host_size_(MemoryKind::pinned, sizeof(std::int32_t)), chain_(make_chain(strategy, stream)) {
  if (!is_correct(strategy) || strategy == ChainStrategy::known_size) {
    throw std::invalid_argument("this strategy does not copy what the device says");
  }
}

void DependentCopier::start(const ChainRequest& request) {
  request_ = request;
  refusal_ = nullptr;
  try {
    chain_->start(request);
  } catch (const std::out_of_range&) {
    // Strategies that wait for the size here know it already; finish() is where it is looked for.
    refusal_ = std::current_exception();
  }
}

std::size_t DependentCopier::finish_size(std::size_t element_bytes) {
  if (element_bytes != request_.element_bytes) {
    throw std::invalid_argument("finish() asks for elements of another size than start() did");
  }
  if (refusal_) {
    std::rethrow_exception(refusal_);
  }
  chain_->finish();
  last_size_ = elements_asked(request_);
  return last_size_;
}

std::int32_t* DependentCopier::host_size() const {
  return reinterpret_cast<std::int32_t*>(host_size_.data());
}

}  // namespace copybench
