// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/chaining/chain.hpp"
#include "common/cuda/buffer.hpp"
#include "common/measurement/pattern.hpp"
#include "common/measurement/verification.hpp"
#include "tests/gpu/memory_kinds.hpp"

namespace copybench {

/// Everything that a chain copies from and to. Outlives the chain.
class ChainMemory {
 public:
  explicit ChainMemory(std::size_t capacity)
      : capacity_(capacity),
        device_size_(MemoryKind::device, sizeof(std::int32_t)),
        host_size_(MemoryKind::pinned, sizeof(std::int32_t)),
        device_data_(MemoryKind::device, capacity * sizeof(double) + canary_bytes),
        host_data_(MemoryKind::pinned, capacity * sizeof(double) + canary_bytes) {}

  /// New data on the device, poison on the host; the device says `size`, host memory `old_size`.
  void prepare(std::int32_t size, std::int32_t old_size) {
    seed_ = batch_seed(++batch_);
    verifier_.fill(device_region(), seed_);
    verifier_.poison(host_region());
    copy_any(device_size_.data(), reinterpret_cast<const std::byte*>(&size), sizeof(size));
    *host_size() = old_size;
  }

  [[nodiscard]] ChainRequest request(std::size_t expected = 0) const {
    return {reinterpret_cast<const std::int32_t*>(device_size_.data()),
            host_size(),
            reinterpret_cast<const double*>(device_data_.data()),
            reinterpret_cast<double*>(host_data_.data()),
            capacity_,
            expected};
  }

  /// Throws VerificationError unless exactly `elements` elements arrived and the rest is poison.
  void require_delivered(std::size_t elements) {
    verifier_.verify_prefix(host_region(), elements * sizeof(double), seed_);
  }

  [[nodiscard]] std::int32_t* host_size() const {
    return reinterpret_cast<std::int32_t*>(host_size_.data());
  }

 private:
  [[nodiscard]] Region device_region() const {
    return {MemoryKind::device, device_data_.data(), capacity_ * sizeof(double)};
  }
  [[nodiscard]] Region host_region() const {
    return {MemoryKind::pinned, host_data_.data(), capacity_ * sizeof(double)};
  }

  std::size_t capacity_;
  Buffer device_size_;
  Buffer host_size_;
  Buffer device_data_;
  Buffer host_data_;
  Verifier verifier_;
  std::uint64_t batch_ = 0;
  std::uint64_t seed_ = 0;
};

}  // namespace copybench
