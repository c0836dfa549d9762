// SPDX-License-Identifier: Apache-2.0
#include "common/staging/pinning_transfers.hpp"

#include <cstring>

#include "common/cuda/buffer.hpp"
#include "common/cuda/copy.hpp"
#include "common/cuda/pinned_range.hpp"

namespace copybench {

void PinCopyTransfer::to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                                StreamView stream) {
  const Buffer pinned(MemoryKind::pinned, bytes);
  std::memcpy(pinned.data(), source, bytes);
  copy_async(destination, pinned.data(), bytes, Direction::h2d, stream);
  stream.sync();
}

void PinCopyTransfer::to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
                              StreamView stream) {
  const Buffer pinned(MemoryKind::pinned, bytes);
  copy_async(pinned.data(), source, bytes, Direction::d2h, stream);
  stream.sync();
  std::memcpy(destination, pinned.data(), bytes);
}

void RegisterTransfer::to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                                 StreamView stream) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): CUDA has one call for both directions.
  PinnedRange pinned = PinnedRange::registered({const_cast<std::byte*>(source), bytes});
  copy_async(destination, source, bytes, Direction::h2d, stream);
  stream.sync();
  pinned.give_back();
}

void RegisterTransfer::to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
                               StreamView stream) {
  PinnedRange pinned = PinnedRange::registered({destination, bytes});
  copy_async(destination, source, bytes, Direction::d2h, stream);
  stream.sync();
  pinned.give_back();
}

}  // namespace copybench
