// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/measurement/quiet_cpu.hpp"

namespace copybench {

/// Where the measuring thread runs: on the quietest processor, wherever the system puts it, or on
/// one processor that the user names.
struct CpuPolicy {
  enum class Kind { quiet, any, fixed };
  Kind kind = Kind::quiet;
  int cpu = -1;
};

/// "quiet", "any" or the number of a processor. Throws std::invalid_argument saying what would be
/// allowed.
[[nodiscard]] CpuPolicy parse_cpu_policy(std::string_view text);
[[nodiscard]] std::string to_string(const CpuPolicy& policy);

/// Puts a policy into effect for the thread that calls it.
class CpuPlacement {
 public:
  explicit CpuPlacement(const CpuPolicy& policy) : policy_(policy) {}

  void prefer(const std::vector<int>& near) { quiet_.prefer(near); }
  /// To be called before a batch, outside every timed region. Throws std::runtime_error when the
  /// system refuses the processor that the user named.
  void settle();
  /// False when a neighbour got busy since settle(). Always true where nothing is looked after.
  [[nodiscard]] bool is_undisturbed() const;
  /// The processor that the calling thread is on.
  [[nodiscard]] static int current() noexcept;

 private:
  CpuPolicy policy_;
  QuietCpu quiet_;
};

}  // namespace copybench
