// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace copybench {

/// In quotes, with everything escaped that JSON wants escaped.
[[nodiscard]] std::string json_string(std::string_view text);

/// With 17 significant digits, as Google Benchmark writes it. `value` must be finite: JSON has no
/// other numbers, so anything else becomes null.
[[nodiscard]] std::string json_number(double value);

}  // namespace copybench
