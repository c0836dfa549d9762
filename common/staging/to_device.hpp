// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "common/cuda/memory_kind.hpp"
#include "common/cuda/stream.hpp"
#include "common/staging/double_buffered.hpp"

namespace copybench {

/// One named way of putting a host array on the device.
///   driver_pageable         cudaMemcpyAsync straight from pageable memory
///   driver_pageable_sync    cudaMemcpy, what numba and CuPy call when no stream is given; always
///                           ordered in the legacy stream
///   driver_pinned           cudaMemcpyAsync from pinned memory
///   staged_double_buffered  our own staging through two pinned chunks
enum class ToDeviceStrategy {
  driver_pageable,
  driver_pageable_sync,
  driver_pinned,
  staged_double_buffered
};

inline constexpr std::array<std::string_view, 4> to_device_strategy_names{
    "driver_pageable", "driver_pageable_sync", "driver_pinned", "staged_double_buffered"};

/// Copies by one strategy. Afterwards work enqueued in `stream` sees the data; whether the copy has
/// ended is the strategy's affair. `staging` is used by the staged strategy alone.
void to_device(ToDeviceStrategy strategy, std::byte* destination, const std::byte* source,
               std::size_t bytes, StreamView stream, DoubleBufferedStaging& staging);

}  // namespace copybench
