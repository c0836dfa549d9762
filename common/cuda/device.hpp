// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace copybench {

/// There is no GPU that this program could use. what() says what is missing, in one line.
class NoUsableDevice : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The ordinal is not one of a device. what() says which there are.
class NoSuchDevice : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Device {
  int ordinal;
  /// Device memory that was free when the device was started.
  std::size_t free_bytes;
  /// See cpus_near().
  std::vector<int> near_cpus{};
  /// Devices that the process can see.
  int count = 1;
  /// The newest CUDA that the driver serves (13000 is 13.0).
  int driver_version = 0;
  /// Whether the host may touch managed memory while the device is busy. Without that it cannot be
  /// moved ahead of its use either. False where the device does not say.
  bool concurrent_managed_access = false;
};

/// How threads wait for the device: flags of cudaSetDeviceFlags(). Comes before start_device(), in
/// a process that has not used CUDA. Throws CudaError.
void set_device_flags(int ordinal, unsigned flags);

/// Makes `ordinal` the device of the calling thread, loads every kernel, and wakes the link with a
/// copy of 64 MiB. Has to be the first use of CUDA in the process: unless the user has set
/// CUDA_MODULE_LOADING, it is set to EAGER, because loading a kernel later would wait for the
/// device. Throws NoUsableDevice, NoSuchDevice.
[[nodiscard]] Device start_device(int ordinal);

/// The device of the calling thread. Throws CudaError.
[[nodiscard]] int current_device();

/// The processors of the NUMA node that a device is at; none where that is not known.
[[nodiscard]] std::vector<int> cpus_near(int ordinal);

/// What is missing, for an error of the first CUDA calls. The versions are CUDA's (13000 is 13.0),
/// the driver's being 0 where there is none.
[[nodiscard]] std::string describe_missing_device(int error, int driver_version,
                                                  int runtime_version);

}  // namespace copybench
