// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace copybench {

/// memcpy for a destination that nobody reads soon: writes past the caches where the processor can
/// (SSE2), so that it does not first read what it is to overwrite: `staging_limits/half:host` says
/// what that is worth. What is written is visible to other threads once this thread has
/// synchronised with them, as with memcpy.
void streaming_copy(std::byte* destination, const std::byte* source, std::size_t bytes) noexcept;

}  // namespace copybench
