// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace copybench::simulator {

/// Where a device has its own instance of the variable that symbol() names; it is made when first
/// asked for. Throws Refusal for any other symbol.
[[nodiscard]] std::byte* symbol_on_device(const void* symbol, int device);

}  // namespace copybench::simulator
