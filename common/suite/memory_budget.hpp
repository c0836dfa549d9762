// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "common/suite/family.hpp"

namespace copybench {

/// Memory that is free for buffers, in bytes.
struct FreeMemory {
  std::size_t host = 0;
  std::size_t device = 0;
};

/// What the host can give without swapping and without meeting the limit of a control group on the
/// way up: the least of MemAvailable and, for each group, its limit less its use, page cache aside.
/// `root` is "/" but for tests. The largest number there is when nothing can be read.
[[nodiscard]] std::size_t free_host_memory(const std::filesystem::path& root);

/// Decides case by case what still fits. Fixtures keeps the largest buffer of each kind and role
/// until the process ends, so the cases admitted so far count together.
class MemoryBudget {
 public:
  /// An eighth of what is free is left alone.
  explicit MemoryBudget(FreeMemory free);

  /// Admits a case, or says why it does not fit, in one line; then nothing has changed.
  [[nodiscard]] std::optional<std::string> admit(const MemoryNeeds& needs);

 private:
  using PerKind = std::array<std::size_t, memory_kind_names.size()>;

  FreeMemory limits_;
  PerKind largest_{};
};

}  // namespace copybench
