// SPDX-License-Identifier: Apache-2.0
#include "common/runtime.hpp"

#include "simulator/model.hpp"

namespace copybench {

std::optional<std::string> simulated_machine() { return simulator::describe(simulator::model()); }

}  // namespace copybench
