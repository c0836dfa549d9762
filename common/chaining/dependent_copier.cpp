// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/dependent_copier.hpp"

#include <stdexcept>

#include "common/chaining/elements_asked.hpp"

namespace copybench {

DependentCopier::DependentCopier(StreamView stream, ChainStrategy strategy)
    : host_size_(MemoryKind::pinned, sizeof(std::int32_t)),
      failure_(std::make_exception_ptr(std::logic_error("finish() without a start()"))),
      chain_(make_chain(strategy, stream)) {
  if (!is_correct(strategy) || strategy == ChainStrategy::known_size) {
    throw std::invalid_argument("this strategy does not copy what the device says");
  }
}

void DependentCopier::start(const ChainRequest& request) {
  request_ = request;
  failure_ = nullptr;
  try {
    chain_->start(request);
  } catch (const std::out_of_range&) {
    // Strategies that wait for the size here know it already; finish() is where it is looked for.
    failure_ = std::current_exception();
  } catch (...) {
    failure_ = std::current_exception();
    throw;
  }
}

std::size_t DependentCopier::finish_size(std::size_t element_bytes) {
  if (failure_) {
    std::rethrow_exception(failure_);
  }
  if (element_bytes != request_.element_bytes) {
    throw std::invalid_argument("finish() asks for elements of another size than start() did");
  }
  try {
    chain_->finish();
    last_size_ = elements_asked(request_);
  } catch (...) {
    // The chain is over, and would let the next finish() have what never arrived.
    failure_ = std::current_exception();
    throw;
  }
  return last_size_;
}

std::int32_t* DependentCopier::host_size() const {
  return reinterpret_cast<std::int32_t*>(host_size_.data());
}

}  // namespace copybench
