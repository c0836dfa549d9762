// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

#include <cuda_runtime_api.h>

namespace copybench::simulator {

/// Enqueues a kernel: `body` runs on the stream's thread when it is its turn, and returns an error
/// to lose the context. Counts as a call of cudaLaunchKernel.
cudaError_t launch_kernel(cudaStream_t stream, std::size_t blocks,
                          std::function<cudaError_t()> body) noexcept;

}  // namespace copybench::simulator
