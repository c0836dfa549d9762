// SPDX-License-Identifier: Apache-2.0
#include "common/runtime.hpp"

namespace copybench {

std::optional<std::string> simulated_machine() { return std::nullopt; }

}  // namespace copybench
