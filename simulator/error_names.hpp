// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include <cuda_runtime_api.h>

namespace copybench::simulator {

/// The error with a name such as "cudaErrorInvalidValue", of those that the simulator knows.
[[nodiscard]] std::optional<cudaError_t> find_error(std::string_view name);

}  // namespace copybench::simulator
