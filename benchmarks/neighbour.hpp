// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "common/measurement/gate.hpp"
#include "common/measurement/helper_thread.hpp"
#include "common/measurement/verification.hpp"
#include "common/suite/family.hpp"
#include "common/suite/fixtures.hpp"

namespace copybench {

/// What goes on beside a call: nothing; a gate in another stream; another thread that sits in a
/// pageable copy to the host, behind a gate in its own stream; another thread that is busy staging
/// a pageable copy to the device.
enum class Beside { nothing, gate, blocked_copy, staging_copy };

inline constexpr std::array<std::string_view, 4> beside_names{"nothing", "gate", "blocked_copy",
                                                              "staging_copy"};

/// Goes on beside a call that the owner times: begin(), the call, open(), end(). Not thread-safe.
class Neighbour {
 public:
  Neighbour(Beside beside, Fixtures& fixtures);

  /// Memory of the other thread's copy.
  [[nodiscard]] static MemoryNeeds memory_needs(Beside beside);

  /// Whether work in another stream is held until open().
  [[nodiscard]] bool is_gated() const;
  /// Whether another thread copies.
  [[nodiscard]] bool has_copy() const;

  /// Gives the copy its bytes.
  void fill(std::uint64_t seed);
  /// Throws VerificationError unless the copy has delivered its bytes. Nothing without a copy.
  void verify();

  /// Returns when the neighbour is there: the gate closed, the other thread in its copy. The gate
  /// opens after `hold` at the latest.
  void begin(Nanoseconds hold);
  /// Opens the gate, unless it is open already; returns when it was opened, and TimePoint::max()
  /// where there is none.
  TimePoint open();
  /// Waits for whatever goes on. Throws GateError when the gate ended by its timeout.
  void end();
  /// When the other thread returned from its copy, TimePoint::max() without a copy. After end().
  [[nodiscard]] TimePoint left() const;

  /// The gate, which has to be open when a scope is left by an exception.
  [[nodiscard]] Gate& gate() { return gate_; }

 private:
  void copy();

  Beside beside_;
  Region source_;
  Region destination_;
  StreamView stream_;
  Gate& gate_;
  Verifier& verifier_;
  std::uint64_t seed_ = 0;
  // When the other thread entered its copy and when it returned from it; the latter is read after
  // the job alone.
  std::atomic<TimePoint> entered_{};
  TimePoint left_;
  // The last member: its job uses the others.
  std::unique_ptr<HelperThread> helper_;
};

}  // namespace copybench
