// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/peer_memory.hpp"

#include <stdexcept>
#include <string>

#include <cuda_runtime_api.h>

#include "common/cuda/check.hpp"
#include "common/cuda/device.hpp"

namespace copybench {
namespace {

// Another device for as long as a scope lasts.
class DeviceScope {
 public:
  explicit DeviceScope(int device) : before_(current_device()) {
    check(cudaSetDevice(device), "cudaSetDevice");
  }
  ~DeviceScope() { (void)cudaSetDevice(before_); }
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;
  DeviceScope(DeviceScope&&) = delete;
  DeviceScope& operator=(DeviceScope&&) = delete;

 private:
  int before_;
};

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

PeerMemory::PeerMemory(std::size_t bytes) : bytes_(bytes) {
  int count = 0;
  check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  const int device = current_device();
  const int peer = (device + 1) % count;
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
