// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/measurement/clock.hpp"

namespace copybench {

/// A number with this many digits behind the point, whatever the locale.
[[nodiscard]] std::string decimal(double value, int digits);

/// A time in microseconds, likewise.
[[nodiscard]] std::string decimal_microseconds(Nanoseconds time, int digits);

/// For people: "6,134" or "12.3", with the digits that matter.
[[nodiscard]] std::string readable_microseconds(Nanoseconds time);

}  // namespace copybench
