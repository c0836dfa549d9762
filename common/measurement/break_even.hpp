// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "common/measurement/clock.hpp"

namespace copybench {

/// What there is to choose between: to copy ordinary memory as it is, or to pin it first.
struct PinningChoice {
  /// One copy of ordinary memory.
  Nanoseconds pageable_copy;
  /// One copy of pinned memory, with whatever has to be done for it each time.
  Nanoseconds pinned_copy;
  /// Pinning and unpinning, whatever is copied in between.
  Nanoseconds once;
};

/// The smallest number of copies, at least 1, that take less time with pinning than without it:
/// n * pageable_copy > once + n * pinned_copy. Nothing when there is none.
[[nodiscard]] std::optional<std::uint64_t> break_even_copies(const PinningChoice& choice);

/// The counter of a row that holds it; never_breaks_even where there is none, as JSON has no
/// infinity.
inline constexpr const char* break_even_counter = "break_even_copies";
inline constexpr std::uint64_t never_breaks_even = 0;

/// What follows for whoever has to choose. The number itself is no label: it may be another one in
/// the next run of the same machine, and rows are compared by their labels.
enum class PinningAdvice {
  /// For a single copy already.
  pays_at_once,
  /// From some number of copies on.
  pays_with_reuse,
  never_pays
};

inline constexpr std::array<std::string_view, 3> pinning_advice_names{
    "pays_at_once", "pays_with_reuse", "never_pays"};

[[nodiscard]] PinningAdvice advise(std::optional<std::uint64_t> break_even);

}  // namespace copybench
