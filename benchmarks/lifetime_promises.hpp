// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "benchmarks/lifetime_seen.hpp"
#include "common/cuda/copy_api.hpp"
#include "common/cuda/memory_kind.hpp"

namespace copybench {

/// What a program does too early, once the call has returned.
enum class Hazard {
  /// Overwrites the source.
  overwrite_source,
  /// Reads the destination, on the host.
  read_destination,
  /// Reads the destination on the device, in a stream that the copy is not ordered with.
  other_stream,
  /// The same after waiting for the copy's stream, which makes it right.
  other_stream_after_sync
};

inline constexpr std::array<std::string_view, 4> hazard_names{
    "overwrite_source", "read_destination", "other_stream", "other_stream_after_sync"};

/// What NVIDIA's documentation says of a hazard, in short.
struct LifetimePromise {
  enum class Outcome {
    /// It may go either way.
    nothing,
    /// The source is the program's again when the call returns.
    captured,
    /// All has arrived.
    complete
  };
  Outcome outcome = Outcome::nothing;
  /// The row of the contract, as docs/contracts.md counts them; 0 where there is none.
  int row = 0;
  /// A runtime was seen to break it with this memory and size, so a row says so and does not fail.
  bool is_known_to_be_broken = false;

  [[nodiscard]] bool is_kept_by(Seen seen) const;
  /// "promised: nothing (row 2)".
  [[nodiscard]] std::string describe() const;
};

/// Throws std::out_of_range when the table has none: a fault in the tables.
[[nodiscard]] LifetimePromise promise_of(Hazard hazard, CopyApi api, MemoryKind memory,
                                         std::size_t bytes);

/// What was seen beside what was promised, in one line: "captured; promised: nothing (row 2)" or
/// "reads_later; contradicts row 20". `broken`: at least one sample did not keep the promise.
[[nodiscard]] std::string lifetime_label(const SeenTally& tally, const LifetimePromise& promise,
                                         bool broken);

}  // namespace copybench
