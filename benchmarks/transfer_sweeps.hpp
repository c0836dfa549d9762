// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/suite/family.hpp"

namespace copybench {

[[nodiscard]] std::vector<Sweep> to_device_sweeps();
[[nodiscard]] std::vector<Sweep> to_host_sweeps();

/// For both families: Family::refuse and Family::lacks.
[[nodiscard]] std::optional<std::string> refuse_transfer(const AxisValues& values);
[[nodiscard]] std::optional<std::string> lacks_for_transfer(const AxisValues& values,
                                                            const Device& device);

}  // namespace copybench
