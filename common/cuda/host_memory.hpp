// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace copybench {

// Host memory that CUDA has not been told of, in the places where a program has some. Every page is
// touched. Whatever fails throws std::bad_alloc or, for files, std::system_error.

/// Memory of the heap's kind, on 2 MiB boundaries, on huge pages or explicitly not: with "always"
/// as the system's setting plain memory would be huge as well.
[[nodiscard]] std::byte* allocate_heap(std::size_t bytes, bool huge_pages);
void free_heap(std::byte* memory) noexcept;

/// A shared mapping of a file that has no name any more, in TMPDIR or else /tmp.
[[nodiscard]] std::byte* map_file(std::size_t bytes);
void unmap_file(std::byte* memory, std::size_t bytes) noexcept;

/// A frame on the stack of a thread that does nothing else, and lasts until it is given back.
[[nodiscard]] std::byte* borrow_stack(std::size_t bytes);
void give_back_stack(std::byte* memory) noexcept;

}  // namespace copybench
