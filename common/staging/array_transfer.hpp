// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>

#include "common/cuda/memory_kind.hpp"
#include "common/cuda/stream.hpp"
#include "common/staging/parallel_staging.hpp"

namespace copybench {

/// One named way of moving an array between the host and the device.
enum class ArrayStrategy {
  /// cudaMemcpyAsync straight from or to pageable memory.
  driver_pageable,
  /// cudaMemcpy, what numba and CuPy call when no stream is given; always ordered in the legacy
  /// stream.
  driver_pageable_sync,
  /// cudaMemcpyAsync from or to pinned memory.
  driver_pinned,
  /// Allocates pinned memory for this one copy, and moves the array through it.
  pin_copy,
  /// Pins the array itself for this one copy.
  register_in_place,
  /// Through one pinned chunk, filled and emptied in turns.
  staged_single,
  /// Through two of them: DoubleBufferedStaging.
  staged_double_buffered,
  /// Through a ring of them that several threads serve: ParallelStaging.
  staged_parallel,
  /// A kernel that reads or writes mapped pinned memory itself, whose device address each call asks
  /// for (cudaHostGetDevicePointer).
  mapped_kernel,
  /// Managed memory, moved by cudaMemPrefetchAsync: there is no second array.
  managed_prefetch,
  /// driver_pageable or staged_parallel, whichever is faster for the size.
  automatic,
};

inline constexpr std::array<std::string_view, 11> array_strategy_names{"driver_pageable",
                                                                       "driver_pageable_sync",
                                                                       "driver_pinned",
                                                                       "pin_copy",
                                                                       "register_in_place",
                                                                       "staged_single",
                                                                       "staged_double_buffered",
                                                                       "staged_parallel",
                                                                       "mapped_kernel",
                                                                       "managed_prefetch",
                                                                       "auto"};

/// Moves arrays by one strategy. Both functions run after what is in `stream` already, throw
/// CudaError, and are called by one thread at a time.
class ArrayTransfer {
 public:
  ArrayTransfer() = default;
  virtual ~ArrayTransfer() = default;
  ArrayTransfer(const ArrayTransfer&) = delete;
  ArrayTransfer& operator=(const ArrayTransfer&) = delete;
  ArrayTransfer(ArrayTransfer&&) = delete;
  ArrayTransfer& operator=(ArrayTransfer&&) = delete;

  /// Afterwards work enqueued in `stream` sees the data; whether the copy has ended, and whether
  /// the source has been read, is the strategy's affair.
  virtual void to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                         StreamView stream) = 0;
  /// The data is there once `stream` is synchronised; with most strategies on return.
  virtual void to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
                       StreamView stream) = 0;
};

/// `settings` is for the strategies that stage in parallel. Throws what their constructors throw.
[[nodiscard]] std::unique_ptr<ArrayTransfer> make_array_transfer(
    ArrayStrategy strategy, const ParallelStagingSettings& settings);

}  // namespace copybench
