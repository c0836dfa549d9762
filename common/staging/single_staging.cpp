// SPDX-License-Identifier: Apache-2.0
#include "common/staging/single_staging.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "common/cuda/copy.hpp"

namespace copybench {

SingleStaging::SingleStaging(std::size_t chunk_bytes) : chunk_(MemoryKind::pinned, chunk_bytes) {
  if (chunk_bytes == 0) {
    throw std::invalid_argument("chunk_bytes: expected at least 1");
  }
}

void SingleStaging::to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                              StreamView stream) {
  for (std::size_t done = 0; done < bytes; done += chunk_.size()) {
    const std::size_t part = std::min(chunk_.size(), bytes - done);
    std::memcpy(chunk_.data(), source + done, part);
    copy_async(destination + done, chunk_.data(), part, Direction::h2d, stream);
    stream.sync();
  }
}

void SingleStaging::to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
                            StreamView stream) {
  for (std::size_t done = 0; done < bytes; done += chunk_.size()) {
    const std::size_t part = std::min(chunk_.size(), bytes - done);
    copy_async(chunk_.data(), source + done, part, Direction::d2h, stream);
    stream.sync();
    std::memcpy(destination + done, chunk_.data(), part);
  }
}

}  // namespace copybench
