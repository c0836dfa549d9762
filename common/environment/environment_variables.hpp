// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "common/environment/fact.hpp"

namespace copybench {

/// The environment variables that change what a copy costs. Those known to do so have a fact each
/// ("env_cuda_visible_devices"), "unset" where they are not set; the other CUDA_* ones share
/// "env_cuda_other". `entries` are "NAME=value", in any order.
void add_variable_facts(Facts& facts, std::span<const std::string_view> entries);

/// The same for this process's own environment.
void add_variable_facts(Facts& facts);

}  // namespace copybench
