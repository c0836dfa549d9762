// SPDX-License-Identifier: Apache-2.0
#include "common/staging/double_buffered.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "common/cuda/copy.hpp"

namespace copybench {
namespace {

// A copy that was enqueued may have no event yet.
template <typename Transfer>
void drained_after_error(StreamView stream, const Transfer& transfer) {
  try {
    transfer();
  } catch (...) {
    (void)cudaStreamSynchronize(stream.get());
    throw;
  }
}

}  // namespace

DoubleBufferedStaging::DoubleBufferedStaging(std::size_t chunk_bytes)
    : chunks_{Chunk(chunk_bytes), Chunk(chunk_bytes)} {
  if (chunk_bytes == 0) {
    throw std::invalid_argument("chunk_bytes: expected at least 1");
  }
}

DoubleBufferedStaging::~DoubleBufferedStaging() {
  for (const Chunk& chunk : chunks_) {
    (void)cudaEventSynchronize(chunk.copied.get());
  }
}

DoubleBufferedStaging::Chunk& DoubleBufferedStaging::next_chunk() {
  Chunk& chunk = chunks_.at(next_);
  next_ = (next_ + 1) % chunks_.size();
  return chunk;
}

void DoubleBufferedStaging::to_device(std::byte* destination, const std::byte* source,
                                      std::size_t bytes, StreamView stream) {
  drained_after_error(stream, [&] {
    for (std::size_t done = 0; done < bytes;) {
      Chunk& chunk = next_chunk();
      const std::size_t part = std::min(chunk.memory.size(), bytes - done);
      chunk.copied.sync();
      std::memcpy(chunk.memory.data(), source + done, part);
      copy_async(destination + done, chunk.memory.data(), part, Direction::h2d, stream);
      chunk.copied.record(stream);
      done += part;
    }
  });
}

void DoubleBufferedStaging::to_host(std::byte* destination, const std::byte* source,
                                    std::size_t bytes, StreamView stream) {
  const std::size_t size = chunks_.front().memory.size();
  // Asks for a part one round before it is emptied.
  const auto ask_for = [&](std::size_t offset) {
    Chunk& chunk = next_chunk();
    // It may still be on its way to the device, in another stream.
    wait(stream, chunk.copied);
    copy_async(chunk.memory.data(), source + offset, std::min(size, bytes - offset), Direction::d2h,
               stream);
    chunk.copied.record(stream);
    return &chunk;
  };
  drained_after_error(stream, [&] {
    const Chunk* asked = bytes > 0 ? ask_for(0) : nullptr;
    for (std::size_t done = 0; done < bytes; done += size) {
      const Chunk* const arriving = asked;
      asked = bytes - done > size ? ask_for(done + size) : nullptr;
      arriving->copied.sync();
      std::memcpy(destination + done, arriving->memory.data(), std::min(size, bytes - done));
    }
  });
}

}  // namespace copybench
