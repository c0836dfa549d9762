// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <cupti.h>

namespace copybench {

/// Has CUPTI hand over its records, on whichever thread of its own it likes. The process can have
/// one taker. Throws std::runtime_error.
void take_activity_records(std::function<void(const CUpti_Activity&)> take);

}  // namespace copybench
