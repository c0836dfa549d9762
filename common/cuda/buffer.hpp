// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "common/cuda/memory_kind.hpp"

namespace copybench {

/// Owner of memory of one kind, aligned to at least a page for host kinds. Host pages are touched,
/// so that no copy pays for a page fault, unless the
/// system has written a mapped file back meanwhile. Throws CudaError, or std::bad_alloc for plain
/// memory.
class Buffer {
 public:
  Buffer(MemoryKind kind, std::size_t bytes);

  [[nodiscard]] MemoryKind kind() const noexcept { return kind_; }
  [[nodiscard]] std::byte* data() const noexcept { return memory_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return bytes_; }
  /// The address under which a kernel reaches the buffer. Host memory must be pinned_mapped.
  [[nodiscard]] std::byte* device_address() const;

 private:
  struct Free {
    MemoryKind kind;
    std::size_t bytes;
    void operator()(std::byte* memory) const noexcept;
  };
  MemoryKind kind_;
  std::size_t bytes_;
  std::unique_ptr<std::byte, Free> memory_;
};

/// The address under which a kernel reaches a block of pinned_mapped memory that begins at
/// `memory`. Throws CudaError.
[[nodiscard]] std::byte* mapped_address(std::byte* memory);

}  // namespace copybench
