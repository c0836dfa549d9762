// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "benchmarks/new_array.hpp"
#include "common/cuda/copy.hpp"
#include "common/staging/array_transfer.hpp"
#include "common/suite/family.hpp"
#include "common/suite/fixtures.hpp"

namespace copybench {

/// What a transfer is asked for. cpu_time is that of all threads of the process.
enum class TransferMetric : std::size_t { blocked, completion, residual, cpu_time };
inline constexpr std::array<std::string_view, 4> transfer_metric_names{"blocked", "completion",
                                                                       "residual", "cpu_time"};

/// A case of to_device (h2d) or to_host (d2h).
struct TransferCase {
  Direction direction;
  ArrayStrategy strategy;
  /// Of the host's side.
  MemoryKind memory;
  Allocation allocation;
  StreamKind stream;
  TransferMetric metric;
  std::size_t bytes;

  /// From the axes strategy, mem, alloc, stream, metric and bytes.
  [[nodiscard]] static TransferCase parse(const AxisValues& values, Direction direction);
  [[nodiscard]] MemoryNeeds memory_needs() const;
};

[[nodiscard]] std::unique_ptr<Measurement> make_transfer(const TransferCase& parsed,
                                                         Fixtures& fixtures);

}  // namespace copybench
