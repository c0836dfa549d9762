// SPDX-License-Identifier: Apache-2.0
#include "common/staging/double_buffered.hpp"

#include <algorithm>
#include <cstring>

#include "common/cuda/copy.hpp"

namespace copybench {

DoubleBufferedStaging::DoubleBufferedStaging(std::size_t chunk_bytes)
    : chunks_{Chunk(chunk_bytes), Chunk(chunk_bytes)} {}

DoubleBufferedStaging::~DoubleBufferedStaging() {
  for (const Chunk& chunk : chunks_) {
    (void)cudaEventSynchronize(chunk.emptied.get());
  }
}

void DoubleBufferedStaging::to_device(std::byte* destination, const std::byte* source,
                                      std::size_t bytes, StreamView stream) {
  for (std::size_t done = 0; done < bytes;) {
    Chunk& chunk = chunks_.at(next_);
    next_ = (next_ + 1) % chunks_.size();
    const std::size_t part = std::min(chunk.memory.size(), bytes - done);
    chunk.emptied.sync();
    std::memcpy(chunk.memory.data(), source + done, part);
    copy_async(destination + done, chunk.memory.data(), part, Direction::h2d, stream);
    chunk.emptied.record(stream);
    done += part;
  }
}

}  // namespace copybench
