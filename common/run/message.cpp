// SPDX-License-Identifier: Apache-2.0
#include "common/run/message.hpp"

#include <algorithm>
#include <cerrno>
#include <string>
#include <unistd.h>

namespace copybench {

int write_all(int descriptor, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno != EINTR) {
      return errno;
    }
    text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
  return 0;
}

void say(std::string_view text) {
  std::string line = "copybench: ";
  line += text;
  std::ranges::replace(line, '\n', ' ');
  line += '\n';
  // Nobody is left to tell when standard error is gone too.
  (void)write_all(STDERR_FILENO, line);
}

}  // namespace copybench
