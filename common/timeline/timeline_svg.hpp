// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/timeline/timeline.hpp"

namespace copybench {

/// The timeline as a picture that needs nothing else: a lane for each thread and each stream, one
/// axis in microseconds, calls that wait set off from those that do not, kernels numbered as their
/// launches are. In the colours of the reader's screen, dark or light.
[[nodiscard]] std::string timeline_svg(const Timeline& timeline);

}  // namespace copybench
