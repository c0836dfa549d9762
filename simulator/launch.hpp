// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

#include <cuda_runtime_api.h>

#include "simulator/fault_plan.hpp"

namespace copybench::simulator {

/// What a kernel does. It takes part in the faults of its launch in so far as it copies.
using KernelBody = std::function<cudaError_t(const CallFaults&)>;

/// Enqueues a kernel: `body` runs on the stream's thread when it is its turn, and returns an error
/// to lose the context. Counts as a call of cudaLaunchKernel. To load a kernel is to wait for the
/// device first. `name`, a literal, is for whoever records.
cudaError_t launch_kernel(cudaStream_t stream, std::size_t blocks, KernelBody body,
                          bool loads = false, const char* name = "kernel") noexcept;

}  // namespace copybench::simulator
