// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <cuda_runtime_api.h>

#include "common/cuda/stream.hpp"
#include "common/kernels.hpp"

namespace copybench {

/// Several copies as cudaMemcpyBatchAsync takes them: the tables of one call, made beforehand. The
/// copies of a batch have no order among themselves, and each reads its source in the order of the
/// stream (cudaMemcpySrcAccessOrderStream), so that the source has to stay until then. New in CUDA
/// 12.8; see has_copy_api().
class CopyBatch {
 public:
  /// None of the copies may be of no bytes.
  explicit CopyBatch(std::span<const ArrayCopy> copies);

  /// Makes the call once, in any stream but the legacy one. Throws CudaError, and so it does where
  /// the toolkit that this was built with has no such call.
  void operator()(StreamView stream);

 private:
#if CUDART_VERSION >= 13000
  using Source = const void*;
#else
  using Source = void*;
#endif
  std::vector<void*> destinations_;
  std::vector<Source> sources_;
  std::vector<std::size_t> sizes_;
};

}  // namespace copybench
