// SPDX-License-Identifier: Apache-2.0
#include "common/run/publication.hpp"

#include <exception>
#include <iostream>
#include <unistd.h>

#include "common/run/exit_status.hpp"
#include "common/run/message.hpp"
#include "common/run/system_error.hpp"

namespace copybench {

int publish_result(const Plan& plan, const ResultTexts& texts, Ending& ending) {
  int status = exit_passed;
  if (plan.file && plan.file->is_special()) {
    ending.allow_interruption();
  }
  if (plan.file) {
    try {
      plan.file->publish(texts.file);
    } catch (const std::exception& error) {
      say(error.what());
      status = exit_failed;
    }
  }
  ending.allow_interruption();
  if (plan.flags.format == "json") {
    if (const int error = write_all(STDOUT_FILENO, texts.document); error != 0 && !plan.file) {
      say("standard output: " + system_message(error));
      status = exit_failed;
    }
  } else if (std::cout.flush(); !std::cout && !plan.file) {
    say("standard output: write error");
    status = exit_failed;
  }
  return status;
}

int publish_timeline(const Plan& plan, const std::optional<Timeline>& timeline) {
  if (!plan.timeline) {
    return exit_passed;
  }
  if (!timeline) {
    say("--copybench_timeline=" + plan.options.timeline +
        ": nothing was drawn, since no sample was taken that is right");
    return exit_failed;
  }
  try {
    plan.timeline->publish(*timeline);
    return exit_passed;
  } catch (const std::exception& error) {
    say(error.what());
    return exit_failed;
  }
}

}  // namespace copybench
