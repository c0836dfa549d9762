// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace copybench {

/// Calls body(begin, end) for consecutive parts of [0, count), on several threads when `count` is
/// worth it. Parts begin at multiples of `grain`. For preparing and checking data; nothing that is
/// measured uses it. `body` must not throw.
void parallel_for(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t begin, std::size_t end)>& body);

}  // namespace copybench
