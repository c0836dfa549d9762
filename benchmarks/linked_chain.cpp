// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/linked_chain.hpp"

#include <algorithm>
#include <string>

#include "common/measurement/verification.hpp"

namespace copybench {

LinkedChain::LinkedChain(ChainStrategy strategy, std::size_t links, const double* source,
                         double* destination, std::size_t capacity)
    : strategy_(strategy),
      source_(source),
      destination_(destination),
      capacity_(capacity),
      host_sizes_(MemoryKind::pinned, links * sizeof(std::int32_t)),
      chain_(make_chain(strategy, stream_)) {}

void LinkedChain::reset(std::span<const std::int32_t> sizes, std::size_t guess) {
  sizes_ = sizes;
  guess_ = guess;
  link_ = 0;
  offset_ = 0;
  written_ = 0;
  moved_bytes_ = 0;
  std::fill_n(reinterpret_cast<std::int32_t*>(host_sizes_.data()), sizes.size(), -1);
}

std::size_t LinkedChain::expected() const {
  return strategy_ == ChainStrategy::known_size ? static_cast<std::size_t>(sizes_[link_]) : guess_;
}

Nanoseconds LinkedChain::start(const Event& producer_done,
                               std::span<const std::int32_t> device_sizes) {
  const ChainRequest request{
      &device_sizes[link_], reinterpret_cast<std::int32_t*>(host_sizes_.data()) + link_,
      source_ + offset_,    destination_ + offset_,
      capacity_ - offset_,  expected()};
  const TimePoint begin = now();
  if (link_ == 0) {
    wait(stream_, producer_done);
  }
  chain_->start(request);
  return now() - begin;
}

void LinkedChain::finish() {
  chain_->finish();
  const std::int32_t arrived = reinterpret_cast<const std::int32_t*>(host_sizes_.data())[link_];
  if (arrived != sizes_[link_]) {
    throw VerificationError("the size of link " + std::to_string(link_) + " on the host is " +
                            std::to_string(arrived) + " and should be " +
                            std::to_string(sizes_[link_]));
  }
  const auto size = static_cast<std::size_t>(arrived);
  const std::size_t delivered =
      elements_delivered(strategy_, size, 0, capacity_ - offset_, expected());
  written_ = std::max(written_, offset_ + delivered);
  moved_bytes_ += delivered * sizeof(double) + sizeof(arrived);
  offset_ += size;
  ++link_;
}

}  // namespace copybench
