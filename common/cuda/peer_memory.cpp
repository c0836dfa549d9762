// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/peer_memory.hpp"

#include <stdexcept>
#include <string>

#include <cuda_runtime_api.h>

#include "common/cuda/check.hpp"
#include "common/cuda/device.hpp"
#include "common/cuda/device_scope.hpp"

namespace copybench {
namespace {

bool enable_access(int device, int peer) {
  int possible = 0;
  check(cudaDeviceCanAccessPeer(&possible, device, peer), "cudaDeviceCanAccessPeer");
  if (possible == 0) {
    return false;
  }
  const cudaError_t code = cudaDeviceEnablePeerAccess(peer, 0);
  if (code == cudaErrorPeerAccessAlreadyEnabled) {
    (void)cudaGetLastError();
    return true;
  }
  check(code, "cudaDeviceEnablePeerAccess");
  return true;
}

}  // namespace

int peer_device() {
  int count = 0;
  check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  return (current_device() + 1) % count;
}

PeerMemory::PeerMemory(std::size_t bytes) : bytes_(bytes) {
  const int device = current_device();
  const int peer = peer_device();
  direct_ = enable_access(device, peer);
  const DeviceScope scope(peer);
  void* memory = nullptr;
  const cudaError_t code = cudaMalloc(&memory, bytes);
  if (code == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    throw std::runtime_error("device " + std::to_string(peer) + ", the peer of device " +
                             std::to_string(device) + ", has no room for " + std::to_string(bytes) +
                             " bytes");
  }
  check(code, "cudaMalloc");
  memory_.reset(static_cast<std::byte*>(memory));
}

void PeerMemory::Free::operator()(std::byte* memory) const noexcept { (void)cudaFree(memory); }

}  // namespace copybench
