// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace copybench {

/// Writes all of `text` to a file descriptor. Returns 0, or the errno that stopped it.
[[nodiscard]] int write_all(int descriptor, std::string_view text) noexcept;

/// One line on standard error, "copybench: " and the text. Takes no lock, so that it works while
/// another thread is stuck in the middle of printing.
void say(std::string_view text);

}  // namespace copybench
