// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "common/cuda/device.hpp"
#include "common/environment/environment.hpp"
#include "common/suite/family.hpp"

namespace copybench {

/// Where the run touches the machine. Everything else in common/run/ works without a GPU.
struct SuiteHooks {
  /// start_device() of device.hpp: may throw NoUsableDevice and NoSuchDevice.
  std::function<Device(int ordinal)> start_device;
  std::function<Facts(const EnvironmentInputs&)> describe_environment;
  std::function<std::size_t()> free_host_memory;
  std::function<std::unique_ptr<Measurement>(const Family&, const AxisValues&)> make_measurement;
  /// Asked after a case has failed.
  std::function<bool()> context_is_lost;
  /// Whether the figures are none of a real machine. Rows and messages then say so.
  bool simulated = false;
};

/// The real machine. Fixtures come into being with the first measurement and go with the hooks.
[[nodiscard]] SuiteHooks cuda_hooks();

}  // namespace copybench
