// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "common/staging/array_transfer.hpp"

namespace copybench {

/// The best of the strategies for pageable memory at each size, as to_device and to_host measured
/// them on an H200. To the host, ParallelStaging is no slower than the driver at any size. To the
/// device the driver has less to set up for small arrays, of which ParallelStaging is ahead where
/// the driver squeezes an array through its command buffer: up to 64 KiB, but slowly.
class AutomaticTransfer final : public ArrayTransfer {
 public:
  /// To the device, the smallest arrays that are staged, in the driver's command buffer and past
  /// it.
  static constexpr std::size_t least_staged_commanded = std::size_t{48} << 10U;
  static constexpr std::size_t most_commanded = std::size_t{64} << 10U;
  static constexpr std::size_t least_staged = std::size_t{512} << 10U;

  [[nodiscard]] static constexpr bool is_staged_to_device(std::size_t bytes) noexcept {
    return bytes >= (bytes <= most_commanded ? least_staged_commanded : least_staged);
  }

  explicit AutomaticTransfer(const ParallelStagingSettings& settings) : staging_(settings) {}

  void to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                 StreamView stream) override;
  void to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
               StreamView stream) override;

 private:
  ParallelStaging staging_;
};

}  // namespace copybench
