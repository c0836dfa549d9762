// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <random>
#include <string_view>

namespace copybench {

/// How N changes from one time to the next.
enum class SizeDistribution {
  fixed,
  /// Every size up to the most is as likely.
  uniform,
  /// One in sixteen is the most, the others a thousandth of it.
  mostly_small
};

inline constexpr std::array<std::string_view, 3> size_distribution_names{"fixed", "uniform",
                                                                         "mostly_small"};

/// Sizes from 0 to `most`, the same ones in every run.
class SizeSource {
 public:
  // The same sizes are what is wanted.
  // NOLINTNEXTLINE(bugprone-random-generator-seed)
  SizeSource(SizeDistribution distribution, std::size_t most)
      : distribution_(distribution), most_(most) {}

  [[nodiscard]] std::size_t next();
  /// What somebody who knows the distribution alone would guess: the size, half of the most, or the
  /// small one.
  [[nodiscard]] std::size_t guess() const;

 private:
  [[nodiscard]] std::size_t small() const;

  SizeDistribution distribution_;
  std::size_t most_;
  std::mt19937_64 random_;
};

}  // namespace copybench
