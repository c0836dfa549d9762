// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "common/measurement/clock.hpp"

namespace copybench {

/// The distribution of single calls. A percentile is present only when the sample count supports
/// it: at least one sample must lie beyond it, or it would be the maximum under another name.
struct Summary {
  std::size_t samples = 0;
  Nanoseconds median{};
  std::optional<Nanoseconds> p90;
  std::optional<Nanoseconds> p99;
  Nanoseconds max{};
};

/// The value at `percent` (0 to 100) of sorted samples, by the nearest-rank rule: always a value
/// that was measured. `sorted` must not be empty.
[[nodiscard]] Nanoseconds percentile(std::span<const Nanoseconds> sorted, double percent);

/// Whether `samples` values have at least one beyond the nearest rank of `percent`.
[[nodiscard]] bool supports_percentile(std::size_t samples, double percent);

/// Mean of the two middle values when their number is even. Throws std::invalid_argument when
/// empty.
[[nodiscard]] Summary summarize(std::span<const Nanoseconds> samples);

}  // namespace copybench
