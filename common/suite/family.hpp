// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/cuda/device.hpp"
#include "common/cuda/memory_kind.hpp"
#include "common/measurement/measurement.hpp"
#include "common/suite/axes.hpp"
#include "common/suite/process_settings.hpp"

namespace copybench {

class Fixtures;

/// Memory that a case takes from the fixtures, so that a case too large for the machine is left out
/// before it fails.
using MemoryNeeds = std::vector<std::pair<MemoryKind, std::size_t>>;

/// A question, its cases as data, and the code that runs one of them.
struct Family {
  std::string name;
  std::vector<Sweep> sweeps;
  /// Builds the measurement of one case. Called at each repetition, so it must be cheap: whatever
  /// is large comes from the fixtures.
  std::function<std::unique_ptr<Measurement>(const AxisValues&, Fixtures&)> make;
  std::function<MemoryNeeds(const AxisValues&)> memory_needs;
  /// Why a number that the user put on an axis makes no sense for this family, beginning with the
  /// axis; nothing when it does. May be left out.
  std::function<std::optional<std::string>(const AxisValues&)> refuse{};
  /// What the machine lacks for a case beside memory, in one line, such as "needs a second GPU";
  /// nothing when it can run. May be left out.
  std::function<std::optional<std::string>(const AxisValues&, const Device&)> lacks{};
  /// For cases that need a process of their own. May be left out.
  std::function<ProcessSettings(const AxisValues&)> process{};
};

}  // namespace copybench
