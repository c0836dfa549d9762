// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/chained_memory.hpp"

#include <string>
#include <utility>

#include "common/chaining/size_buckets.hpp"
#include "common/measurement/weyl.hpp"

namespace copybench {

ChainedMemory::ChainedMemory(ChainStrategy strategy, std::size_t elements, Fixtures& fixtures)
    : strategy_(strategy),
      elements_(elements),
      old_elements_(elements == 0 ? 1 : elements / 2),  // never the right one
      source_(fixtures.region(MemoryKind::device, Role::source, capacity * sizeof(double))),
      destination_(
          fixtures.region(MemoryKind::pinned, Role::destination, capacity * sizeof(double))),
      device_size_(MemoryKind::device, sizeof(std::int32_t)),
      host_size_(MemoryKind::pinned, sizeof(std::int32_t)),
      verifier_(fixtures.verifier()) {}

void ChainedMemory::prepare(std::uint64_t seed) {
  seed_ = seed;
  verifier_.fill(source_, seed);
  verifier_.poison(destination_);
}

ChainRequest ChainedMemory::reset() {
  auto* const size = reinterpret_cast<std::int32_t*>(host_size_.data());
  *size = static_cast<std::int32_t>(old_elements_);
  verifier_.spoil({MemoryKind::device, device_size_.data(), device_size_.size()});
  for (const std::size_t index : watched(delivered(true))) {
    words()[index] = ~weyl_word(seed_, index);
  }
  return {device_size(),
          size,
          reinterpret_cast<const double*>(source_.data),
          reinterpret_cast<double*>(destination_.data),
          capacity,
          elements_};
}

std::int32_t* ChainedMemory::device_size() const {
  return reinterpret_cast<std::int32_t*>(device_size_.data());
}

void ChainedMemory::require_arrival(bool refused) const {
  if (std::cmp_not_equal(*reinterpret_cast<const std::int32_t*>(host_size_.data()), elements_)) {
    throw VerificationError("the size on the host is not the one that the device produced");
  }
  for (const std::size_t index : watched(delivered(refused))) {
    if (words()[index] != weyl_word(seed_, index)) {
      throw VerificationError("element " + std::to_string(index) +
                              " had not arrived when the chain said it was finished");
    }
  }
}

void ChainedMemory::verify(bool refused) {
  verifier_.verify_prefix(destination_, delivered(refused) * sizeof(double), seed_);
}

// Where they are copied in two parts, the ends of both.
std::vector<std::size_t> ChainedMemory::watched(std::size_t count) {
  std::vector<std::size_t> indices;
  if (const std::size_t bucket = elements_in_bucket(count); bucket > 0) {
    indices = {0, bucket - 1};
  }
  if (count > 0) {
    indices.push_back(count - 1);
  }
  return indices;
}

std::size_t ChainedMemory::delivered(bool refused) const {
  if (strategy_ == ChainStrategy::callback_illegal && !refused) {
    return elements_;  // a driver that does not refuse has copied after all
  }
  return elements_delivered(strategy_, elements_, old_elements_, capacity, elements_);
}

std::uint64_t* ChainedMemory::words() const {
  return reinterpret_cast<std::uint64_t*>(destination_.data);
}

}  // namespace copybench
