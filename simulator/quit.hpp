// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace copybench::simulator {

/// Ends the process with status 2 and one line on stderr: the simulator itself was asked for
/// something that it does not know, and an error code of CUDA would hide that.
[[noreturn]] void quit(std::string_view reason);

}  // namespace copybench::simulator
