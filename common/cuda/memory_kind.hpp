// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace copybench {

/// What a buffer is made of. The kind of the host side decides whether a copy blocks the host.
enum class MemoryKind {
  /// Plain heap memory, every page touched.
  pageable,
  /// The same, asked to sit on transparent huge pages (MADV_HUGEPAGE).
  pageable_thp,
  /// A file mapped into memory, its pages in the page cache.
  pageable_file,
  /// The stack of a thread that lives as long as the buffer.
  pageable_stack,
  /// cudaHostAlloc.
  pinned,
  /// The inside of a cudaHostAlloc block: the pointer is not the one that CUDA gave out.
  pinned_interior,
  /// cudaHostAlloc, write-combined: fast to write in order, very slow to read.
  pinned_write_combined,
  /// cudaHostAlloc, mapped into the device's address space.
  pinned_mapped,
  /// Heap memory pinned afterwards by cudaHostRegister.
  registered,
  /// cudaMallocManaged, pages resident on the host to begin with.
  managed,
  /// cudaMalloc.
  device
};

inline constexpr std::array<std::string_view, 11> memory_kind_names{
    "pageable",        "pageable_thp",          "pageable_file", "pageable_stack", "pinned",
    "pinned_interior", "pinned_write_combined", "pinned_mapped", "registered",     "managed",
    "device"};

/// Whether the host can read and write the bytes through the pointer.
[[nodiscard]] constexpr bool is_host_accessible(MemoryKind kind) {
  return kind != MemoryKind::device;
}

}  // namespace copybench
