// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "common/cuda/memory_pool.hpp"
#include "common/cuda/stream.hpp"
#include "common/cuda/untouched_memory.hpp"

namespace copybench {

/// Where the destination of a transfer comes from.
enum class Allocation {
  /// It was there before.
  none,
  /// cudaMalloc.
  malloc,
  /// cudaMallocAsync from the device's own pool, which gives memory back to the system at each
  /// synchronise.
  malloc_async,
  /// cudaMallocAsync from a pool that keeps what it has.
  pooled,
  /// Host memory straight from the system, its pages not there yet: what a new array of some MiB is
  /// in most programs.
  fresh,
};

inline constexpr std::array<std::string_view, 5> allocation_names{"none", "malloc", "malloc_async",
                                                                  "pooled", "fresh"};

/// An array that is made anew for each sample. Errors throw CudaError or std::bad_alloc.
class NewArray {
 public:
  NewArray(Allocation allocation, std::size_t bytes);
  ~NewArray();
  NewArray(const NewArray&) = delete;
  NewArray& operator=(const NewArray&) = delete;
  NewArray(NewArray&&) = delete;
  NewArray& operator=(NewArray&&) = delete;

  /// There must be none. Not for Allocation::none.
  std::byte* allocate(StreamView stream);
  /// Frees it, if there is one, in the stream that it was allocated in. Nothing may use it any
  /// more.
  void free();
  /// Null when there is none.
  [[nodiscard]] std::byte* data() const noexcept { return data_; }

 private:
  Allocation allocation_;
  std::size_t bytes_;
  std::optional<MemoryPool> pool_;
  std::optional<UntouchedMemory> fresh_;
  cudaStream_t stream_ = nullptr;
  std::byte* data_ = nullptr;
};

}  // namespace copybench
