// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/suite/family.hpp"

namespace copybench {

/// A question to to_device or to_host. What varies between their sweeps stands here; the order of
/// the axes does not.
struct TransferSweep {
  std::string question;
  std::vector<std::string> strategies;
  std::string memory;
  Axis allocation;
  std::vector<std::string> streams;
  Axis metric;
  Axis bytes;
  bool in_quick = false;

  [[nodiscard]] Sweep sweep() const;
};

/// Their axes and the values of them that more than one sweep has.
namespace transfer_axes {
inline const Axis no_allocation{"alloc", {"none"}};
inline const Axis all_metrics{"metric", {"blocked", "completion", "residual"}};
inline const Axis blocked_and_completion{"metric", {"blocked", "completion"}};
inline const Axis completion{"metric", {"completion"}};
inline const Axis all_sizes{
    "bytes",
    {"4096", "65536", "1048576", "16777216", "67108864", "268435456", "800000000"},
    {"65536", "16777216"}};
inline const Axis three_sizes{"bytes", {"65536", "16777216", "268435456"}};
inline const std::vector<std::string> nonblocking{"nonblocking"};
}  // namespace transfer_axes

/// The questions that have the same cases in both directions.
[[nodiscard]] std::vector<Sweep> sweeps_of_either_direction();

/// For both families: Family::refuse and Family::lacks.
[[nodiscard]] std::optional<std::string> refuse_transfer(const AxisValues& values);
[[nodiscard]] std::optional<std::string> lacks_for_transfer(const AxisValues& values,
                                                            const Device& device);

}  // namespace copybench
