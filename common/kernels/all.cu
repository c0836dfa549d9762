// SPDX-License-Identifier: Apache-2.0
#include "common/chain_kernels.hpp"
#include "common/kernels.hpp"
#include "common/kernels/loading.hpp"

namespace copybench {
namespace {

__device__ std::byte symbol_memory[symbol_bytes];

}  // namespace

const void* symbol() { return symbol_memory; }

void load_kernels() {
  load_gates();
  load_patterns();
  load_copies();
  load_questions();
  load_chain_kernels();
}

}  // namespace copybench
