// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

// New in CUDA 12.8.
#if CUDART_VERSION >= 12080

#include <cstddef>
#include <vector>

namespace copybench {

/// One copy of a batch.
struct Entry {
  std::byte* destination;
  std::byte* source;
  std::size_t size;
};

/// cudaMemcpyBatchAsync. All entries share one attribute; `attributes` is how many of it the call
/// is told of.
inline cudaError_t copy_batch(const std::vector<Entry>& entries, cudaMemcpySrcAccessOrder order,
                              cudaStream_t stream, std::size_t attributes = 1) {
  std::vector<void*> destinations;
  std::vector<void*> sources;
  std::vector<std::size_t> sizes;
  for (const Entry& entry : entries) {
    destinations.push_back(entry.destination);
    sources.push_back(entry.source);
    sizes.push_back(entry.size);
  }
  cudaMemcpyAttributes attribute{};
  attribute.srcAccessOrder = order;
  std::size_t first_entry = 0;
#if CUDART_VERSION >= 13000
  const std::vector<const void*> const_sources(sources.begin(), sources.end());
  return cudaMemcpyBatchAsync(destinations.data(), const_sources.data(), sizes.data(),
                              entries.size(), &attribute, &first_entry, attributes, stream);
#else
  std::size_t failed_entry = 0;
  return cudaMemcpyBatchAsync(destinations.data(), sources.data(), sizes.data(), entries.size(),
                              &attribute, &first_entry, attributes, &failed_entry, stream);
#endif
}

}  // namespace copybench

#endif
