// SPDX-License-Identifier: Apache-2.0
#include "common/run/suite_hooks.hpp"

#include "common/cuda/check.hpp"
#include "common/runtime.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/memory_budget.hpp"

namespace copybench {

SuiteHooks cuda_hooks() {
  auto fixtures = std::make_shared<std::unique_ptr<Fixtures>>();
  return {start_device,
          describe_environment,
          [] { return free_host_memory("/"); },
          [fixtures](const Family& family, const AxisValues& values) {
            if (*fixtures == nullptr) {
              *fixtures = std::make_unique<Fixtures>();
            }
            return family.make(values, **fixtures);
          },
          context_is_lost,
          simulated_machine().has_value()};
}

}  // namespace copybench
