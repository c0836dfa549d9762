// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "common/measurement/call_observer.hpp"
#include "common/measurement/clock.hpp"

namespace copybench {

/// Who takes the time of a call from inside the CUDA runtime.
enum class SpanSource {
  /// CUPTI's activity records.
  activity,
  /// The suite's clock, read in CUPTI's callbacks at the entry and the exit of the call.
  callback
};
inline constexpr std::array<std::string_view, 2> span_source_names{"activity", "callback"};

/// A second opinion on the blocked time: how long the calls that an ObservedCall holds took,
/// taken by somebody else. Where it holds several calls of the runtime, from the entry of the first
/// to the exit of the last.
class CallSpans : public CallObserver {
 public:
  struct Taken {
    /// How many calls were observed.
    std::size_t calls = 0;
    /// In no particular order. Calls whose times were lost are missing, and so are those that did
    /// not call the runtime.
    std::vector<Nanoseconds> spans{};
  };

  /// What came in since the last time. To be called between batches. May throw std::runtime_error.
  [[nodiscard]] virtual Taken take() = 0;
};

using MakeCallSpans = std::unique_ptr<CallSpans> (*)(SpanSource source);

/// Set before main() in programs that are built with CUPTI, and null in the others: this library
/// is linked to programs with and without it.
inline MakeCallSpans make_call_spans = nullptr;

}  // namespace copybench
