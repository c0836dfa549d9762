// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace copybench {

/// Another device of the calling thread for as long as the scope lasts.
class DeviceScope {
 public:
  /// Throws CudaError.
  explicit DeviceScope(int device);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;
  DeviceScope(DeviceScope&&) = delete;
  DeviceScope& operator=(DeviceScope&&) = delete;

 private:
  int before_;
};

}  // namespace copybench
