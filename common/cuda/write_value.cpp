// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/write_value.hpp"

#include <cuda.h>

#include "common/cuda/check.hpp"
#include "common/environment/shared_library.hpp"

namespace copybench {

// A call of the driver alone, which the runtime has loaded.
void write_value(StreamView stream, std::uint32_t* word, std::uint32_t value) {
  static const SharedLibrary driver("libcuda.so.1");
  static const auto call = driver.find<decltype(cuStreamWriteValue32)>("cuStreamWriteValue32_v2");
  if (call == nullptr) {
    throw CudaError(cudaErrorNotSupported, "cuStreamWriteValue32", std::source_location::current());
  }
  const CUresult result =
      call(stream.get(), reinterpret_cast<CUdeviceptr>(word), value, CU_STREAM_WRITE_VALUE_DEFAULT);
  // The runtime's errors have the numbers of the driver's.
  check(static_cast<cudaError_t>(result), "cuStreamWriteValue32");
}

}  // namespace copybench
