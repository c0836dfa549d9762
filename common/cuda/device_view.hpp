// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace copybench {

/// The address under which a kernel reaches a byte of pinned memory, which need not be the first of
/// its block. Throws CudaError, and std::invalid_argument for memory that no kernel reaches.
[[nodiscard]] void* device_view(void* host_memory);

}  // namespace copybench
