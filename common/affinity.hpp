// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace copybench {

/// The processors that the calling thread may run on.
[[nodiscard]] std::vector<int> allowed_cpus();

/// Confines the calling thread to some processors. Returns false when the system refuses, as it
/// does for none.
bool run_on(const std::vector<int>& cpus) noexcept;

/// Whether run_on() would succeed. The calling thread is there for a moment.
[[nodiscard]] bool may_run_on(const std::vector<int>& cpus);

}  // namespace copybench
