// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/timeline/svg_layout.hpp"

namespace copybench {

/// What the picture of a timeline shows, in two sentences: how long the calling thread waited, and
/// when kernels were launched.
[[nodiscard]] std::string timeline_summary(const Timeline& timeline);

/// What stands above the lanes: the name of the case, the summary, and what the colours mean that
/// occur. 110 pixels high.
[[nodiscard]] std::string svg_heading(const Timeline& timeline, const TimelineLayout& layout);

}  // namespace copybench
