// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

#include <cuda_runtime_api.h>

namespace copybench {

/// A failed CUDA call. what() reads "cudaMemcpyAsync: cudaErrorInvalidValue (invalid argument) at
/// stream.cpp:12".
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, std::string_view api, const std::source_location& place);

  [[nodiscard]] cudaError_t code() const noexcept { return code_; }
  [[nodiscard]] const std::string& api() const noexcept { return api_; }

 private:
  cudaError_t code_;
  std::string api_;
};

/// Throws CudaError when `code` is a failure, having cleared it from the runtime's last-error slot
/// so that the next, unrelated call is not blamed for it. A sticky error cannot be cleared; see
/// context_is_lost().
void check(cudaError_t code, std::string_view api,
           const std::source_location& place = std::source_location::current());

/// True once an error has made the context unusable: every later call fails too. Asks the runtime,
/// so it never throws and works from any thread.
[[nodiscard]] bool context_is_lost() noexcept;

}  // namespace copybench
