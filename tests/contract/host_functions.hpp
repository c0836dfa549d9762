// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>

#include <cuda_runtime_api.h>

#include "common/cuda/check.hpp"
#include "common/cuda/stream.hpp"

namespace copybench {

/// CUDA's two ways to run host code in a stream.
enum class HostApi { launch_host_func, add_callback };

inline constexpr std::array host_apis{HostApi::launch_host_func, HostApi::add_callback};

[[nodiscard]] constexpr const char* name_of(HostApi api) {
  return api == HostApi::launch_host_func ? "LaunchHostFunc" : "StreamAddCallback";
}

/// What runs in the stream, with the status that a callback gets. It must not throw, and has to
/// outlive the run.
using HostWork = std::function<void(cudaError_t status)>;

inline void enqueue(HostApi api, StreamView stream, HostWork& work) {
  if (api == HostApi::launch_host_func) {
    check(
        cudaLaunchHostFunc(
            stream.get(), [](void* data) { (*static_cast<HostWork*>(data))(cudaSuccess); }, &work),
        "cudaLaunchHostFunc");
  } else {
    check(cudaStreamAddCallback(
              stream.get(),
              [](cudaStream_t, cudaError_t status, void* data) {
                (*static_cast<HostWork*>(data))(status);
              },
              &work, 0),
          "cudaStreamAddCallback");
  }
}

}  // namespace copybench
