// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace copybench {

/// memcpy for a destination that a device reads next: what it writes it also moves on from this
/// processor's own cache to the one that is shared (CLDEMOTE; where there is no such instruction
/// it is memcpy alone). A device reads lines that are still in a processor's own cache at less
/// than half the speed of the link: `staging_limits/half:link_after_host`. For that the copy takes
/// twice as long.
void demoting_copy(std::byte* destination, const std::byte* source, std::size_t bytes) noexcept;

}  // namespace copybench
