// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace copybench {

/// Host memory that CUDA was asked to pin, as one call did it and another undoes it: what the two
/// cost can be timed. Buffer is for those who want the memory alone.
class PinnedRange {
 public:
  /// cudaHostAlloc. Throws CudaError.
  [[nodiscard]] static PinnedRange allocated(std::size_t bytes);
  /// cudaHostRegister of memory that must outlive the range. Throws CudaError.
  [[nodiscard]] static PinnedRange registered(std::span<std::byte> memory);

  [[nodiscard]] std::byte* data() const noexcept { return memory_.get(); }

  /// cudaFreeHost or cudaHostUnregister, which the destructor calls otherwise. Throws CudaError;
  /// then the destructor tries again.
  void give_back();

 private:
  enum class Kind { allocated, registered, given_back };
  struct GiveBack {
    Kind kind;
    void operator()(std::byte* memory) const noexcept;
  };
  PinnedRange(std::byte* memory, Kind kind) : memory_(memory, GiveBack{kind}) {}

  std::unique_ptr<std::byte, GiveBack> memory_;
};

/// Whether CUDA takes the first and the last byte for host memory that it knows. `memory` must not
/// be empty. Throws CudaError.
[[nodiscard]] bool is_pinned(std::span<const std::byte> memory);

}  // namespace copybench
