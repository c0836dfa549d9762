// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>

namespace copybench {

/// What can be set only before a process first uses CUDA. A case that asks for any of it is
/// measured in a process of its own; the others share one.
struct ProcessSettings {
  /// Environment variables, such as {"CUDA_MODULE_LOADING", "LAZY"}.
  std::map<std::string, std::string> environment{};
  /// For cudaSetDeviceFlags, such as cudaDeviceScheduleBlockingSync.
  std::optional<unsigned> device_flags{};
  /// For a case that changes the process for those after it.
  bool own_process = false;

  [[nodiscard]] bool wants_own_process() const {
    return own_process || !environment.empty() || device_flags.has_value();
  }
};

/// Thrown by Measurement::prepare() in a process of its own, to get another one before the batch:
/// it measures something that a process can do only so often. The counts of a measurement go with
/// its process.
class ProcessUsedUp : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace copybench
