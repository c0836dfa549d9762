// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/copy.hpp"

#include "common/cuda/check.hpp"

namespace copybench {

void copy_async(std::byte* destination, const std::byte* source, std::size_t bytes,
                Direction direction, StreamView stream) {
  check(cudaMemcpyAsync(destination, source, bytes, memcpy_kind(direction), stream.get()),
        "cudaMemcpyAsync");
}

void copy(std::byte* destination, const std::byte* source, std::size_t bytes, Direction direction) {
  check(cudaMemcpy(destination, source, bytes, memcpy_kind(direction)), "cudaMemcpy");
}

}  // namespace copybench
