// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "common/suite/family.hpp"

namespace copybench {

inline constexpr std::string_view fake_process_name = "fake_process";

/// Cases that want a process of their own: what goes right in it, and everything that can go wrong
/// there, at each stage.
[[nodiscard]] Family fake_process_family();
[[nodiscard]] std::unique_ptr<Measurement> make_fake_process(const AxisValues& values);

}  // namespace copybench
