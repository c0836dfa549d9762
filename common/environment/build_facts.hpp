// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/environment/fact.hpp"

namespace copybench {

/// Commit, compilers and flags, and the Google Benchmark that this program was built with.
void add_build_facts(Facts& facts);

}  // namespace copybench
