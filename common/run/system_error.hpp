// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <system_error>

namespace copybench {

/// "No space left on device" for ENOSPC.
[[nodiscard]] inline std::string system_message(int error) {
  return std::generic_category().message(error);
}

}  // namespace copybench
