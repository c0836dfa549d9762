// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "common/environment/fact.hpp"

namespace copybench {

struct EnvironmentInputs {
  /// CUDA's number of the device that is measured.
  int device = 0;
  std::string profile;
  std::string command_line;
  /// Where /proc, /sys, /etc and /run are looked for. Tests give a tree of their own.
  std::filesystem::path root = "/";
};

/// The fingerprint of a run: what a figure has to be read together with, for the JSON context. The
/// same keys on every machine. What cannot be read is unknown_value; only memory can run out.
///
/// Call it straight after a copy of some 64 MiB: an idle PCIe link sleeps in a lower generation,
/// and the clocks of an idle GPU say nothing either.
[[nodiscard]] Facts describe_environment(const EnvironmentInputs& inputs);

}  // namespace copybench
