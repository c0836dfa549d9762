// SPDX-License-Identifier: Apache-2.0
#include "common/staging/driver_transfers.hpp"

#include "common/cuda/buffer.hpp"
#include "common/cuda/copy.hpp"
#include "common/cuda/device.hpp"
#include "common/cuda/prefetch.hpp"
#include "common/kernels.hpp"

namespace copybench {

void AsyncTransfer::to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                              StreamView stream) {
  copy_async(destination, source, bytes, Direction::h2d, stream);
}

void AsyncTransfer::to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
                            StreamView stream) {
  copy_async(destination, source, bytes, Direction::d2h, stream);
}

void SynchronousTransfer::to_device(std::byte* destination, const std::byte* source,
                                    std::size_t bytes, StreamView /*stream*/) {
  copy(destination, source, bytes, Direction::h2d);
}

void SynchronousTransfer::to_host(std::byte* destination, const std::byte* source,
                                  std::size_t bytes, StreamView /*stream*/) {
  copy(destination, source, bytes, Direction::d2h);
}

void MappedTransfer::to_device(std::byte* destination, const std::byte* source, std::size_t bytes,
                               StreamView stream) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): CUDA has one function for both.
  launch_copy(stream, destination, mapped_address(const_cast<std::byte*>(source)), bytes);
}

void MappedTransfer::to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
                             StreamView stream) {
  launch_copy(stream, mapped_address(destination), source, bytes);
}

void PrefetchTransfer::to_device(std::byte* /*destination*/, const std::byte* source,
                                 std::size_t bytes, StreamView stream) {
  prefetch_to_device(source, bytes, current_device(), stream);
}

void PrefetchTransfer::to_host(std::byte* destination, const std::byte* /*source*/,
                               std::size_t bytes, StreamView stream) {
  prefetch_to_host(destination, bytes, stream);
}

}  // namespace copybench
