// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "benchmarks/lifetime_promises.hpp"
#include "benchmarks/lifetime_seen.hpp"
#include "common/cuda/copy_api.hpp"
#include "common/measurement/verification.hpp"
#include "common/suite/family.hpp"
#include "common/suite/fixtures.hpp"

namespace copybench {

/// A copy, and what the program does too early with its memory.
struct HazardCase {
  Hazard hazard;
  CopyApi api;
  MemoryKind memory;
  std::size_t bytes;

  [[nodiscard]] Direction direction() const {
    return hazard == Hazard::read_destination ? Direction::d2h : Direction::h2d;
  }
  [[nodiscard]] MemoryKind source() const {
    return direction() == Direction::d2h ? MemoryKind::device : memory;
  }
  [[nodiscard]] MemoryKind destination() const {
    return direction() == Direction::h2d ? MemoryKind::device : memory;
  }
  [[nodiscard]] StreamKind stream() const {
    return api == CopyApi::memcpy ? StreamKind::legacy : StreamKind::nonblocking;
  }
};

/// Such a copy behind a gate that its owner closes in stream(): prepare(), then for each sample
/// set_up(), the copy, be_too_early(), and judge() once the stream is drained. Not thread-safe.
class HazardousCopy {
 public:
  HazardousCopy(const HazardCase& hazard_case, Fixtures& fixtures);

  [[nodiscard]] StreamView stream() const { return stream_; }

  void prepare(std::uint64_t seed);
  /// No sample may pass by what the last one left.
  void set_up();
  /// The call alone.
  void copy() { copy_(); }
  /// Does what the hazard is. Waits for the copy's stream with other_stream_after_sync alone.
  void be_too_early();
  /// What became of the bytes. Throws VerificationError when the copy did not deliver them at all,
  /// or did what no order of events explains. The stream has to be drained.
  [[nodiscard]] Seen judge(bool returned_after_opening);
  /// Throws VerificationError unless what surrounds the destination is untouched.
  void verify_canaries() { verifier_.verify_canaries(destination_); }

 private:
  void require_arrival() { verifier_.verify_unguarded(destination_, seed_); }
  std::size_t count_on_device(std::uint64_t seed);

  HazardCase case_;
  Region source_;
  Region destination_;
  StreamView stream_;
  StreamView other_stream_;
  PreparedCopy copy_;
  Verifier& verifier_;
  Buffer mismatch_{MemoryKind::pinned_mapped, sizeof(Mismatch)};
  std::uint64_t seed_ = 0;
  // How many bytes had arrived where the destination was read too early.
  std::size_t arrived_ = 0;
};

}  // namespace copybench
