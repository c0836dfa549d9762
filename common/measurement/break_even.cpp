// SPDX-License-Identifier: Apache-2.0
#include "common/measurement/break_even.hpp"

namespace copybench {

std::optional<std::uint64_t> break_even_copies(const PinningChoice& choice) {
  const Nanoseconds saved = choice.pageable_copy - choice.pinned_copy;
  if (saved <= Nanoseconds{0}) {
    return std::nullopt;
  }
  // When both take the same time nothing has been gained yet.
  return static_cast<std::uint64_t>(choice.once / saved) + 1;
}

PinningAdvice advise(std::optional<std::uint64_t> break_even) {
  if (!break_even) {
    return PinningAdvice::never_pays;
  }
  return *break_even == 1 ? PinningAdvice::pays_at_once : PinningAdvice::pays_with_reuse;
}

}  // namespace copybench
