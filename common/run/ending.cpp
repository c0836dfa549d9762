// SPDX-License-Identifier: Apache-2.0
#include "common/run/ending.hpp"

#include <cstdlib>
#include <exception>
#include <unistd.h>

#include "common/run/message.hpp"
#include "common/run/signals.hpp"

namespace copybench {

void Ending::end_early(const std::string& reason, int status) {
  progress_.clear();
  say(reason);
  write_rows(journal_.document(reason));
  std::_Exit(status);
}

void Ending::wait_for_end() {
  while (true) {
    (void)pause();
  }
}

// A reader that does not read would hold up the end; a second signal ends the wait. It reaches this
// thread or, when this is not the supervisor's, that one.
void Ending::let_signals_end_it() {
  allow_interruption();
  release_signals(signals_);
}

void Ending::write_rows(const std::string& document) {
  if (document.empty()) {
    return;
  }
  const std::string count = std::to_string(journal_.size()) + " finished rows";
  if (destinations_.file != nullptr && destinations_.file_is_json) {
    if (destinations_.file->is_special()) {
      let_signals_end_it();
    }
    try {
      destinations_.file->publish(document);
      say(count + " are in " + destinations_.file->path());
    } catch (const std::exception& error) {
      say(error.what());
    }
  } else if (destinations_.file != nullptr) {
    say("--benchmark_out=" + destinations_.file->path() +
        ": not written; only JSON has a form for a run that was cut short");
  }
  if (destinations_.standard_output_is_json) {
    let_signals_end_it();
    (void)write_all(STDOUT_FILENO, document);
  }
}

}  // namespace copybench
