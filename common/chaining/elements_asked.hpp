// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "common/chaining/chain.hpp"

namespace copybench {

/// Whether the size that has arrived on the host is one that the request has room for: neither
/// negative nor more than the capacity.
[[nodiscard]] bool has_room(const ChainRequest& request) noexcept;

/// That size. Throws std::out_of_range, which names it, where there is no room.
[[nodiscard]] std::size_t elements_asked(const ChainRequest& request);

}  // namespace copybench
