// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/device.hpp"

#include <array>
#include <cstdlib>

#include <cuda_runtime_api.h>

#include "common/cuda/buffer.hpp"
#include "common/cuda/check.hpp"
#include "common/cuda/copy.hpp"
#include "common/cuda/stream.hpp"
#include "common/environment/cpu_list.hpp"
#include "common/environment/pcie.hpp"
#include "common/environment/text.hpp"
#include "common/kernels.hpp"

namespace copybench {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// Neither call needs a device, and a failure leaves the version 0.
[[noreturn]] void give_up(cudaError_t code, const char* api) {
  (void)cudaGetLastError();
  int driver = 0;
  int runtime = 0;
  (void)cudaDriverGetVersion(&driver);
  (void)cudaRuntimeGetVersion(&runtime);
  throw NoUsableDevice(describe_missing_device(code, driver, runtime) + " [" + api + "]");
}

void require(cudaError_t code, const char* api) {
  if (code != cudaSuccess) {
    give_up(code, api);
  }
}

int count_devices() {
  int count = 0;
  require(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  if (count == 0) {
    give_up(cudaErrorNoDevice, "cudaGetDeviceCount");
  }
  return count;
}

bool has_concurrent_managed_access(int ordinal) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, cudaDevAttrConcurrentManagedAccess, ordinal) != cudaSuccess) {
    (void)cudaGetLastError();
    return false;
  }
  return value != 0;
}

void CUDART_CB do_nothing(void* /*unused*/) {}

void wake_link() {
  constexpr std::size_t bytes = std::size_t{64} << 20U;
  const Buffer source(MemoryKind::pinned, bytes);
  const Buffer destination(MemoryKind::device, bytes);
  const Stream stream(StreamKind::nonblocking);
  copy_async(destination.data(), source.data(), bytes, Direction::h2d, stream);
  // The driver starts its thread for host functions with the first of them, and a thread inherits
  // the processors of the one that starts it: now, before the measuring thread is confined to one.
  check(cudaLaunchHostFunc(stream.get(), do_nothing, nullptr), "cudaLaunchHostFunc");
  stream.sync();
}

}  // namespace

std::string describe_missing_device(int error, int driver_version, int runtime_version) {
  const auto code = static_cast<cudaError_t>(error);
  if (code == cudaErrorInsufficientDriver && driver_version == 0) {
    return "no NVIDIA driver is installed (libcuda.so.1 was not found)";
  }
  if (code == cudaErrorInsufficientDriver) {
    return "the NVIDIA driver is too old: it serves CUDA " + version_text(driver_version) +
           ", this program was built with CUDA " + version_text(runtime_version);
  }
  if (code == cudaErrorNoDevice) {
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    return visible == nullptr
               ? "the driver finds no CUDA device"
               : "no CUDA device is left by CUDA_VISIBLE_DEVICES=" + std::string(visible);
  }
  return std::string("the device cannot be used: ") + cudaGetErrorName(code) + " (" +
         cudaGetErrorString(code) + ")";
}

void set_device_flags(int ordinal, unsigned flags) {
  // The flags are those of the current device, which is 0 unless one is chosen.
  if (ordinal != 0) {
    check(cudaSetDevice(ordinal), "cudaSetDevice");
  }
  check(cudaSetDeviceFlags(flags), "cudaSetDeviceFlags");
}

Device start_device(int ordinal) {
  constexpr int keep_what_the_user_set = 0;
  (void)setenv("CUDA_MODULE_LOADING", "EAGER", keep_what_the_user_set);
  const int count = count_devices();
  if (ordinal < 0 || ordinal >= count) {
    throw NoSuchDevice(
        "there is no such device; there " +
        (count == 1 ? std::string("is only 0") : "are 0 to " + std::to_string(count - 1)));
  }
  // Since CUDA 12 this makes the context, so a device that somebody else has to himself shows here.
  require(cudaSetDevice(ordinal), "cudaSetDevice");
  std::size_t free = 0;
  std::size_t total = 0;
  require(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  try {
    load_kernels();
    wake_link();
  } catch (const CudaError& error) {
    throw NoUsableDevice(std::string("the device cannot be used: ") + error.what());
  }
  int driver_version = 0;
  require(cudaDriverGetVersion(&driver_version), "cudaDriverGetVersion");
  return {.ordinal = ordinal,
          .free_bytes = free,
          .near_cpus = cpus_near(ordinal),
          .count = count,
          .driver_version = driver_version,
          .concurrent_managed_access = has_concurrent_managed_access(ordinal)};
}

std::vector<int> cpus_near(int ordinal) {
  std::array<char, 32> bus_id{};
  if (cudaDeviceGetPCIBusId(bus_id.data(), static_cast<int>(bus_id.size()), ordinal) !=
      cudaSuccess) {
    (void)cudaGetLastError();
    return {};
  }
  const auto text = read_value("/", pci_device_directory(bus_id.data()) + "/local_cpulist");
  return text ? parse_cpu_list(*text).value_or(std::vector<int>{}) : std::vector<int>{};
}

int current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  return device;
}

}  // namespace copybench
