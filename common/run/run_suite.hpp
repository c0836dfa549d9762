// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "common/run/suite_hooks.hpp"
#include "common/suite/family.hpp"

namespace copybench {

/// The main function of a suite: reads the flags, starts the device, runs the cases under Google
/// Benchmark and writes the result. Returns the status to exit with (exit_status.hpp); a run that
/// is cut short ends the process from inside. To be called once, before any other thread is
/// started.
[[nodiscard]] int run_suite(int argc, char** argv, const std::vector<Family>& families,
                            const SuiteHooks& hooks = cuda_hooks());

}  // namespace copybench
