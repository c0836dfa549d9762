// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "common/timeline/svg_layout.hpp"

namespace copybench {

/// The number of a launch of a kernel, by correlation.
using LaunchNumbers = std::map<std::uint64_t, std::size_t>;

/// Where the parts of a lane stand that begins at `top`. What overlaps something of its lane stands
/// below it. Of the layout, the scale is read alone.
[[nodiscard]] LaneLayout lay_out_lane(const Lane& lane, double top, const Timeline& timeline,
                                      const TimelineLayout& layout, const LaunchNumbers& numbers);

}  // namespace copybench
