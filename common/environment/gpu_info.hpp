// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "common/environment/fact.hpp"

namespace copybench {

/// What the runtime, the driver, NVML and /sys say of a CUDA device. The PCIe link is read first,
/// while it is still awake from what the caller did. On a machine without a GPU every key is there
/// too, and unknown.
void add_gpu_facts(Facts& facts, int device, const std::filesystem::path& root);

}  // namespace copybench
