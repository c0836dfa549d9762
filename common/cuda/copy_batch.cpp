// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/copy_batch.hpp"

#include "common/cuda/check.hpp"

namespace copybench {

CopyBatch::CopyBatch(std::span<const ArrayCopy> copies) {
  destinations_.reserve(copies.size());
  sources_.reserve(copies.size());
  sizes_.reserve(copies.size());
  for (const auto& [destination, source, bytes] : copies) {
    destinations_.push_back(destination);
    // Before CUDA 13 the sources of the call were not const.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
    sources_.push_back(const_cast<std::byte*>(source));
    sizes_.push_back(bytes);
  }
}

void CopyBatch::operator()(StreamView stream) {
#if CUDART_VERSION >= 12080
  cudaMemcpyAttributes attributes{};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  std::size_t first_copy = 0;
#if CUDART_VERSION >= 13000
  check(cudaMemcpyBatchAsync(destinations_.data(), sources_.data(), sizes_.data(), sizes_.size(),
                             &attributes, &first_copy, 1, stream.get()),
        "cudaMemcpyBatchAsync");
#else
  std::size_t failed = 0;
  check(cudaMemcpyBatchAsync(destinations_.data(), sources_.data(), sizes_.data(), sizes_.size(),
                             &attributes, &first_copy, 1, &failed, stream.get()),
        "cudaMemcpyBatchAsync");
#endif
#else
  (void)stream;
  check(cudaErrorNotSupported, "cudaMemcpyBatchAsync");
#endif
}

}  // namespace copybench
