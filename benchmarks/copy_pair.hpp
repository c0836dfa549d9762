// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/cuda/memory_kind.hpp"
#include "common/suite/family.hpp"

namespace copybench {

/// Which directions are under way at once on each device.
enum class Pair { h2d_alone, d2h_alone, both };
inline constexpr std::array<std::string_view, 3> pair_names{"h2d_alone", "d2h_alone", "both"};

/// A case of both_directions.
struct CopyPair {
  Pair pair;
  std::size_t gpus;
  MemoryKind memory;
  /// That enqueue the copies.
  std::size_t threads;
  /// Of each copy.
  std::size_t bytes;

  [[nodiscard]] static CopyPair parse(const AxisValues& values);
  [[nodiscard]] std::size_t copies() const { return pair == Pair::both ? 2 : gpus; }
};

[[nodiscard]] std::vector<Sweep> copy_pair_sweeps();

/// Family::refuse and Family::lacks.
[[nodiscard]] std::optional<std::string> refuse_copy_pair(const AxisValues& values);
[[nodiscard]] std::optional<std::string> lacks_for_copy_pair(const AxisValues& values,
                                                             const Device& device);

}  // namespace copybench
