// SPDX-License-Identifier: Apache-2.0
#include "common/environment/environment.hpp"

#include "common/environment/build_facts.hpp"
#include "common/environment/cpu_info.hpp"
#include "common/environment/environment_variables.hpp"
#include "common/environment/gpu_info.hpp"
#include "common/environment/memory_info.hpp"
#include "common/environment/os_info.hpp"
#include "common/runtime.hpp"

namespace copybench {

Facts describe_environment(const EnvironmentInputs& inputs) {
  Facts facts;
  if (const auto machine = simulated_machine()) {
    add_fact(facts, "simulated", "true");
    add_fact(facts, "simulator_model", machine);
  }
  // Before the others, while the link is awake.
  add_gpu_facts(facts, inputs.device, inputs.root);
  add_cpu_facts(facts, inputs.root);
  add_memory_facts(facts, inputs.root);
  add_os_facts(facts, inputs.root);
  add_variable_facts(facts);
  add_build_facts(facts);
  add_fact(facts, "profile", inputs.profile);
  add_fact(facts, "command_line", inputs.command_line);
  return facts;
}

}  // namespace copybench
