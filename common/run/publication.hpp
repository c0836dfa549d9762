// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "common/run/ending.hpp"
#include "common/run/plan.hpp"
#include "common/timeline/timeline.hpp"

namespace copybench {

/// What a run has to show, in the two forms in which it is asked for.
struct ResultTexts {
  /// JSON for standard output.
  std::string document;
  /// Of the format that the plan's file has.
  std::string file;
};

/// Writes them where the plan wants them: to its file, and to standard output, which counts only
/// where there is no file. From the moment when somebody who does not read may keep it waiting,
/// `ending` lets a signal end the process. Returns the exit status; what went wrong has been said.
[[nodiscard]] int publish_result(const Plan& plan, const ResultTexts& texts, Ending& ending);

/// Draws the timeline where the plan wants one. Returns the exit status; what went wrong, as that
/// there is none, has been said.
[[nodiscard]] int publish_timeline(const Plan& plan, const std::optional<Timeline>& timeline);

}  // namespace copybench
