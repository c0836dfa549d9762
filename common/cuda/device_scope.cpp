// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/device_scope.hpp"

#include <cuda_runtime_api.h>

#include "common/cuda/check.hpp"
#include "common/cuda/device.hpp"

namespace copybench {

DeviceScope::DeviceScope(int device) : before_(current_device()) {
  check(cudaSetDevice(device), "cudaSetDevice");
}

DeviceScope::~DeviceScope() { (void)cudaSetDevice(before_); }

}  // namespace copybench
