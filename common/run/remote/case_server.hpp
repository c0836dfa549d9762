// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>

#include "common/run/suite_hooks.hpp"
#include "common/suite/family.hpp"

namespace copybench {

/// The only argument of a process that serves a case to `parent`.
[[nodiscard]] std::string serving_argument(pid_t parent);

/// The parent, when the arguments, the program's name being the first, say that this process is to
/// serve a case.
[[nodiscard]] std::optional<pid_t> parent_to_serve(std::span<char*> argv);

/// Answers what is asked on standard input (wire.hpp) until nobody is left to ask. Uses the
/// families and hooks of the parent, being the same program, and has everything else of its own: a
/// device started with the settings that the case wants, and fixtures. Takes the process over: it
/// ends at once when the parent does, whatever it is in the middle of, and nothing that is printed
/// on standard output reaches anybody.
[[noreturn]] void serve_case(pid_t parent, const std::vector<Family>& families,
                             const SuiteHooks& hooks);

}  // namespace copybench
