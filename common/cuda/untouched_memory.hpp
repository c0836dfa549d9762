// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

namespace copybench {

/// Memory that the system has promised and not yet given: no page of it has ever been touched. It
/// comes straight from the system and goes straight back to it, since a heap would hand out pages
/// that an earlier owner has touched. Aligned to 2 MiB, on huge pages or explicitly not, as
/// allocate_heap() has it.
class UntouchedMemory {
 public:
  /// Throws std::bad_alloc.
  UntouchedMemory(std::size_t bytes, bool huge_pages);
  ~UntouchedMemory();
  UntouchedMemory(const UntouchedMemory&) = delete;
  UntouchedMemory& operator=(const UntouchedMemory&) = delete;
  UntouchedMemory(UntouchedMemory&&) = delete;
  UntouchedMemory& operator=(UntouchedMemory&&) = delete;

  [[nodiscard]] std::span<std::byte> bytes() const noexcept { return bytes_; }

 private:
  std::span<std::byte> mapping_;
  std::span<std::byte> bytes_;
};

}  // namespace copybench
