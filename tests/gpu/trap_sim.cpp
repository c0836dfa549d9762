// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/check.hpp"
#include "simulator/launch.hpp"
#include "tests/gpu/trap.hpp"

namespace copybench {

void launch_trap(StreamView stream) {
  check(simulator::launch_kernel(
            stream.get(), 1, [](const simulator::CallFaults&) { return cudaErrorLaunchFailure; }),
        "cudaLaunchKernel");
}

}  // namespace copybench
