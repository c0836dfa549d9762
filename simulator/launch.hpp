// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

#include <cuda_runtime_api.h>

namespace copybench::simulator {

/// Enqueues a kernel: `body` runs on the stream's thread when it is its turn, and returns an error
/// to lose the context. Counts as a call of cudaLaunchKernel. To load a kernel is to wait for the
/// device first.
cudaError_t launch_kernel(cudaStream_t stream, std::size_t blocks,
                          std::function<cudaError_t()> body, bool loads = false) noexcept;

}  // namespace copybench::simulator
