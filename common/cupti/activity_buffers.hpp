// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <cupti.h>

namespace copybench {

/// Has CUPTI hand over its records, on whichever thread of its own it likes. The process can have
/// one taker; a record at which it throws is lost. Throws std::runtime_error.
void take_activity_records(std::function<void(const CUpti_Activity&)> take);

/// Has CUPTI hand over what it still holds. Throws std::runtime_error, also when records were lost
/// since the last time: CUPTI drops those that it finds no room for.
void flush_activity_records();

}  // namespace copybench
