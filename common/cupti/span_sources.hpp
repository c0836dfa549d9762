// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "common/measurement/call_spans.hpp"

namespace copybench {

/// The process can have one of them, once. Both throw std::runtime_error when CUPTI refuses, as it
/// does while another profiler is attached.
[[nodiscard]] std::unique_ptr<CallSpans> make_activity_spans();
[[nodiscard]] std::unique_ptr<CallSpans> make_callback_spans();

}  // namespace copybench
