// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace copybench {

/// What became of bytes that were overwritten or read too early.
enum class Seen {
  /// The source was overwritten before the gate opened, and the old bytes arrived.
  captured,
  /// ... and the new bytes arrived.
  reads_later,
  /// ... and some of both; or the destination was read when a part of it had arrived.
  torn,
  /// The call returned only after the gate had been opened, and all was well.
  waited,
  /// Nothing had arrived where the destination was read.
  stale,
  /// Everything had arrived where the destination was read.
  complete
};

inline constexpr std::array<std::string_view, 6> seen_names{"captured", "reads_later", "torn",
                                                            "waited",   "stale",       "complete"};

/// Judges a destination of `bytes` bytes, of which so many are the source's old ones and so many
/// its new ones. Throws VerificationError when some are neither, or old and new ones stand within a
/// word of 8 bytes.
[[nodiscard]] Seen judge_overwrite(std::size_t bytes, std::size_t old_bytes, std::size_t new_bytes,
                                   bool returned_after_opening);

/// Judges a destination of which `arrived` bytes had arrived when it was read after the call's
/// return. Throws VerificationError when some had while the gate was closed in front of the copy:
/// streams run in order.
[[nodiscard]] Seen judge_read(std::size_t bytes, std::size_t arrived, bool returned_after_opening);

/// Judges a destination of which `arrived` bytes had arrived when the device read it in a stream
/// that the copy is not ordered with: stale, torn or complete.
[[nodiscard]] Seen judge_other_stream(std::size_t bytes, std::size_t arrived);

/// What was seen in the samples of a case.
class SeenTally {
 public:
  void add(Seen seen) {
    ++counts_.at(static_cast<std::size_t>(seen));
    ++samples_;
  }
  /// The part of the samples in which this was seen.
  [[nodiscard]] double fraction(Seen seen) const;
  /// Its name when all samples agree, else "mixed".
  [[nodiscard]] std::string describe() const;

 private:
  std::array<std::size_t, seen_names.size()> counts_{};
  std::size_t samples_ = 0;
};

}  // namespace copybench
