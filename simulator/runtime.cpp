// SPDX-License-Identifier: Apache-2.0
#include "common/runtime.hpp"

#include <cstdlib>

#include "simulator/model.hpp"

namespace copybench {

std::optional<std::string> simulated_machine() {
  const char* const faults = std::getenv("COPYBENCH_SIM_FAULT");
  return simulator::describe(simulator::model()) +
         (faults == nullptr ? "" : std::string(" faults=") + faults);
}

}  // namespace copybench
