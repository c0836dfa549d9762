// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace copybench {

// What load_kernels() is made of: each makes the driver load the kernels of its file.
void load_gates();
void load_patterns();
void load_copies();
void load_questions();

}  // namespace copybench
