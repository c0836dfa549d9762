// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/cuda/stream.hpp"

namespace copybench {

/// A kernel that fails, and with it the context of the whole process: for tests in a process of
/// their own.
void launch_trap(StreamView stream);

}  // namespace copybench
