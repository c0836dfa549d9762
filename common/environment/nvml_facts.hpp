// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/environment/fact.hpp"
#include "common/environment/nvml.hpp"

namespace copybench {

/// State of the GPU that no CUDA call tells: confidential computing, ECC, MIG, clocks, throttling.
void add_nvml_facts(Facts& facts, const Nvml& nvml);

}  // namespace copybench
