// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "common/timeline/activity.hpp"

namespace copybench {

/// CUPTI's activity records of the runtime's functions, kernels, copies and fills. Host functions
/// have none. The process can have one, and none beside make_activity_spans(). Throws
/// std::runtime_error when CUPTI refuses, as it does while another profiler is attached.
[[nodiscard]] std::unique_ptr<ActivityRecorder> make_cupti_recorder();

}  // namespace copybench
