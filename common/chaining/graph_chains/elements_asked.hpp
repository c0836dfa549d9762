// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "common/chaining/chain.hpp"

namespace copybench {

/// How many elements the device asks for, by the size that has arrived on the host. Throws
/// std::out_of_range for more than the capacity, which a negative size is as well.
[[nodiscard]] std::size_t elements_asked(const ChainRequest& request);

}  // namespace copybench
