// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "common/staging/array_transfer.hpp"

namespace copybench {

/// The best of the strategies for pageable memory at each size: small arrays go through the driver,
/// which has less to set up, large ones through ParallelStaging.
class AutomaticTransfer final : public ArrayTransfer {
 public:
  /// The smallest arrays that are staged in parallel: a guess, until to_device has been measured.
  static constexpr std::size_t least_staged_to_device = std::size_t{512} << 10U;
  static constexpr std::size_t least_staged_to_host = std::size_t{512} << 10U;

  explicit AutomaticTransfer(const ParallelStagingSettings& settings) : staging_(settings) {}

  void to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                 StreamView stream) override;
  void to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
               StreamView stream) override;

 private:
  ParallelStaging staging_;
};

}  // namespace copybench
