// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "common/timeline/activity.hpp"

namespace copybench {

/// Left of the names of lanes, and around the rest, in pixels.
inline constexpr double svg_margin = 20;

/// The colours and fonts of a timeline, in those of the reader's screen, light or dark. Bars keep
/// theirs on a dark page, and dark letters on them.
[[nodiscard]] std::string_view svg_style();

/// The class of it that an activity is drawn in.
[[nodiscard]] std::string_view svg_style_of(ActivityKind kind, bool waits);

}  // namespace copybench
