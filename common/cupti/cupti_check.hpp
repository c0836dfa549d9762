// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include <cupti.h>

namespace copybench {

/// Throws std::runtime_error, "cuptiSubscribe: CUPTI_ERROR_...", when `result` is a failure.
inline void check_cupti(CUptiResult result, std::string_view api) {
  if (result != CUPTI_SUCCESS) {
    const char* name = nullptr;
    (void)cuptiGetResultString(result, &name);
    throw std::runtime_error(std::string(api) + ": " +
                             (name == nullptr ? "an unknown error of CUPTI" : name));
  }
}

}  // namespace copybench
