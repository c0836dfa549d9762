// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "common/cuda/stream.hpp"

namespace copybench {

/// Writes `value` to `word`, the device address of mapped host memory, behind what is in the
/// stream: a stream memory operation (cuStreamWriteValue32), neither a kernel nor a copy. Who sees
/// the value sees what the stream has written before. Throws CudaError: cudaErrorNotSupported where
/// the driver has no such call. Each of the two runtimes that a program can be linked to brings its
/// own definition.
void write_value(StreamView stream, std::uint32_t* word, std::uint32_t value);

}  // namespace copybench
