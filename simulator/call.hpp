// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <cuda_runtime_api.h>

#include "simulator/fault_plan.hpp"

namespace copybench::simulator {

/// Thrown inside the body of a call: the call returns this code.
struct Refusal {
  cudaError_t code;
};

/// Refuses the call unless `good`.
inline void require(bool good, cudaError_t otherwise = cudaErrorInvalidValue) {
  if (!good) {
    throw Refusal{otherwise};
  }
}

using CallBody = std::function<void(const CallFaults&)>;

/// Everything that calls have in common: counting, the faults that were asked for, the ban inside
/// host functions, a lost context, and the last error. `body` does the rest and throws Refusal.
cudaError_t run_call(const char* api, const CallBody& body) noexcept;

/// A call that works without a context: it is not touched by a lost one.
cudaError_t run_contextless_call(const char* api, const CallBody& body) noexcept;

/// A call that enqueues: takes at least the model's call_us.
cudaError_t run_enqueueing_call(const char* api, const CallBody& body) noexcept;

/// A call that host functions may make after all, whatever the documentation says.
cudaError_t run_query(const char* api, const CallBody& body) noexcept;

/// While it lives, every call of this thread is refused: it runs a host function.
class HostFunctionScope {
 public:
  HostFunctionScope();
  ~HostFunctionScope();
  HostFunctionScope(const HostFunctionScope&) = delete;
  HostFunctionScope& operator=(const HostFunctionScope&) = delete;
  HostFunctionScope(HostFunctionScope&&) = delete;
  HostFunctionScope& operator=(HostFunctionScope&&) = delete;
};

/// Whether this thread runs a host function.
[[nodiscard]] bool is_in_host_function() noexcept;

}  // namespace copybench::simulator
