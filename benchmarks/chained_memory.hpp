// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/chaining/chain.hpp"
#include "common/cuda/buffer.hpp"
#include "common/measurement/verification.hpp"
#include "common/suite/fixtures.hpp"

namespace copybench {

/// What one strategy copies from and to in a case of dependent_copy: `elements` doubles of as many
/// as there may be, and how it is found out that just those have arrived.
class ChainedMemory {
 public:
  /// What N may be at most: what copy_capacity copies, 32 MiB.
  static constexpr std::size_t capacity = std::size_t{4} << 20U;

  ChainedMemory(ChainStrategy strategy, std::size_t elements, Fixtures& fixtures);

  void prepare(std::uint64_t seed);
  /// Whatever a sample leaves behind would let the next one pass: the size on both sides, and the
  /// last elements to arrive. verify() looks at all of them, but only after the last sample of a
  /// batch. `expected` of the request is right.
  [[nodiscard]] ChainRequest reset();
  /// Where the producer is to write the size, which is `elements`.
  [[nodiscard]] std::int32_t* device_size() const;
  /// Throws VerificationError when the size or one of the last elements is missing.
  void require_arrival(bool refused) const;
  /// Throws VerificationError unless just the elements that the strategy delivers have arrived.
  void verify(bool refused);

 private:
  [[nodiscard]] std::size_t delivered(bool refused) const;
  /// Of so many elements, the indices of those that every sample waits for.
  [[nodiscard]] static std::vector<std::size_t> watched(std::size_t count);
  [[nodiscard]] std::uint64_t* words() const;

  ChainStrategy strategy_;
  std::size_t elements_;
  std::size_t old_elements_;
  Region source_;
  Region destination_;
  Buffer device_size_;
  Buffer host_size_;
  Verifier& verifier_;
  std::uint64_t seed_ = 0;
};

}  // namespace copybench
