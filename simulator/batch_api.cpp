// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime_api.h>

#if CUDART_VERSION >= 12080

#include "simulator/call.hpp"
#include "simulator/transfer.hpp"

using namespace copybench::simulator;

namespace {

// When a copy of a batch reads its source. Contract rows 19 to 21, as an H200 has them: of pageable
// memory only a small source is read before the call returns, which breaks the promise of
// DuringApiCall.
enum class Reading { in_the_call, waiting_for_the_copy, in_the_stream };

Reading reading(cudaMemcpySrcAccessOrder order, const Copy& copy) {
  constexpr std::size_t captured_at_most = std::size_t{64} << 10U;
  if (!copy.pageable) {
    return order == cudaMemcpySrcAccessOrderDuringApiCall ? Reading::waiting_for_the_copy
                                                          : Reading::in_the_stream;
  }
  if (copy.kind != cudaMemcpyHostToDevice || order == cudaMemcpySrcAccessOrderStream) {
    return Reading::waiting_for_the_copy;
  }
  return copy.bytes <= captured_at_most ? Reading::in_the_call : Reading::in_the_stream;
}

// Each copy has the attributes of the last index that is not above its own (contract row 18).
void copy_batch(void* const* dsts, const void* const* srcs, const std::size_t* sizes,
                std::size_t count, const cudaMemcpyAttributes* attributes,
                const std::size_t* indices, std::size_t attribute_count, cudaStream_t stream,
                CallFaults faults) {
  require(stream != nullptr && stream != cudaStreamLegacy);
  require(count > 0 && attribute_count > 0 && attribute_count <= count && indices[0] == 0);
  for (std::size_t i = 0, used = 0; i < count; ++i) {
    while (used + 1 < attribute_count && indices[used + 1] <= i) {
      ++used;
    }
    const auto order = attributes[used].srcAccessOrder;
    require(order > cudaMemcpySrcAccessOrderInvalid && order <= cudaMemcpySrcAccessOrderAny);
    require(sizes[i] > 0);
    Copy copy = classify(dsts[i], srcs[i], sizes[i], cudaMemcpyDefault);
    const Reading read = reading(order, copy);
    copy.pageable = read == Reading::in_the_call;
    copy.managed = copy.managed || read == Reading::waiting_for_the_copy;
    copy_async(copy, stream, faults);
    // One wrong byte, not one in each copy.
    faults.corrupt_byte.reset();
  }
}

}  // namespace

#if CUDART_VERSION >= 13000
cudaError_t cudaMemcpyBatchAsync(void* const* dsts, const void* const* srcs,
                                 const std::size_t* sizes, std::size_t count,
                                 cudaMemcpyAttributes* attrs, std::size_t* attrsIdxs,
                                 std::size_t numAttrs, cudaStream_t stream) {
#else
cudaError_t cudaMemcpyBatchAsync(void** dsts, void** srcs, std::size_t* sizes, std::size_t count,
                                 cudaMemcpyAttributes* attrs, std::size_t* attrsIdxs,
                                 std::size_t numAttrs, std::size_t* /*failIdx*/,
                                 cudaStream_t stream) {
#endif
  return run_enqueueing_call("cudaMemcpyBatchAsync", [&](const CallFaults& faults) {
    copy_batch(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, stream, faults);
  });
}

#endif
