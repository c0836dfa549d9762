// SPDX-License-Identifier: Apache-2.0
#include "common/staging/driver_transfers.hpp"

#include "common/cuda/check.hpp"
#include "common/cuda/copy.hpp"
#include "common/cuda/device.hpp"
#include "common/cuda/prefetch.hpp"
#include "common/kernels.hpp"

namespace copybench {
namespace {

std::byte* device_address_of(const std::byte* host_memory) {
  void* address = nullptr;
  check(cudaHostGetDevicePointer(&address, const_cast<std::byte*>(host_memory), 0),  // NOLINT
        "cudaHostGetDevicePointer");
  return static_cast<std::byte*>(address);
}

}  // namespace

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
  launch_copy(stream, destination, device_address_of(source), bytes);
}

void MappedTransfer::to_host(std::byte* destination, const std::byte* source, std::size_t bytes,
                             StreamView stream) {
  launch_copy(stream, device_address_of(destination), source, bytes);
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
