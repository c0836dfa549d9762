// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "common/environment/fact.hpp"
#include "common/suite/registry.hpp"

namespace copybench {

/// "name: reason" for each, between separators.
[[nodiscard]] std::string skipped_text(const std::vector<SkippedCase>& skipped,
                                       const std::string& separator);

/// Puts the facts into the context of Google Benchmark's output. Throws UsageError when one of
/// `user_keys`, the keys of --benchmark_context, is also one of ours or Google Benchmark's: a
/// result must not say of itself what the user made up.
void add_context(const Facts& facts, std::span<const std::string> user_keys);

/// The beginning of Google Benchmark's JSON, up to the array of rows.
[[nodiscard]] std::string render_context();

}  // namespace copybench
