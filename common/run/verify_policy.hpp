// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "common/measurement/measurement.hpp"

namespace copybench {

/// When bytes are looked at: once per batch, after its last sample, so that the checks do not
/// disturb the samples; or after each sample, each with a pattern of its own, so that nothing that
/// a later sample would overwrite can pass.
enum class VerifyPolicy { batch, sample };

inline constexpr std::array<std::string_view, 2> verify_policy_names{"batch", "sample"};

/// The measurement, made to keep the policy.
[[nodiscard]] std::unique_ptr<Measurement> enforce(VerifyPolicy policy,
                                                   std::unique_ptr<Measurement> measurement);

}  // namespace copybench
