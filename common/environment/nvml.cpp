// SPDX-License-Identifier: Apache-2.0
#include "common/environment/nvml.hpp"

#include <array>
#include <cstdint>

namespace copybench {
namespace {

// nvmlReturn_t and the other enumerations have the size of unsigned; nvmlDevice_t is a pointer.
using Status = unsigned;
constexpr Status success = 0;
constexpr Status not_supported = 3;

// nvmlBAR1Memory_t
struct Bar1Memory {
  std::uint64_t total_bytes, free_bytes, used_bytes;
};

// nvmlConfComputeSystemState_t
struct ConfidentialState {
  unsigned environment, feature, devtools_mode;
};

NvmlReading reading_of(Status status, std::uint64_t value) {
  switch (status) {
    case success:
      return {NvmlReading::Status::known, value};
    case not_supported:
      return {NvmlReading::Status::not_supported, 0};
    default:
      return {};
  }
}

}  // namespace

Nvml::Nvml(const std::string& pci_bus_id, const char* library) : library_(library) {
  const auto init = library_.find<Status()>("nvmlInit_v2");
  initialised_ = init != nullptr && init() == success;
  const auto find_device =
      library_.find<Status(const char*, void**)>("nvmlDeviceGetHandleByPciBusId_v2");
  if (!initialised_ || find_device == nullptr ||
      find_device(pci_bus_id.c_str(), &device_) != success) {
    device_ = nullptr;
  }
}

Nvml::~Nvml() {
  const auto shutdown = library_.find<Status()>("nvmlShutdown");
  if (initialised_ && shutdown != nullptr) {
    (void)shutdown();
  }
}

NvmlReading Nvml::number(const char* function) const {
  const auto query = library_.find<Status(void*, unsigned*)>(function);
  unsigned value = 0;
  if (device_ == nullptr || query == nullptr) {
    return {};
  }
  const Status status = query(device_, &value);
  return reading_of(status, value);
}

NvmlReading Nvml::current_of_two(const char* function) const {
  const auto query = library_.find<Status(void*, unsigned*, unsigned*)>(function);
  unsigned current = 0;
  unsigned pending = 0;
  if (device_ == nullptr || query == nullptr) {
    return {};
  }
  const Status status = query(device_, &current, &pending);
  return reading_of(status, current);
}

NvmlReading Nvml::wide_number(const char* function) const {
  const auto query = library_.find<Status(void*, std::uint64_t*)>(function);
  std::uint64_t value = 0;
  if (device_ == nullptr || query == nullptr) {
    return {};
  }
  const Status status = query(device_, &value);
  return reading_of(status, value);
}

std::optional<std::string> Nvml::text(const char* function) const {
  const auto query = library_.find<Status(void*, char*, unsigned)>(function);
  // NVML's longest buffer is 96; the last byte stays NUL whatever the library does.
  std::array<char, 257> buffer{};
  if (device_ == nullptr || query == nullptr ||
      query(device_, buffer.data(), buffer.size() - 1) != success) {
    return std::nullopt;
  }
  return std::string(buffer.data());
}

NvmlReading Nvml::clock_mhz(const char* function, Clock clock) const {
  const auto query = library_.find<Status(void*, Clock, unsigned*)>(function);
  unsigned value = 0;
  if (device_ == nullptr || query == nullptr) {
    return {};
  }
  const Status status = query(device_, clock, &value);
  return reading_of(status, value);
}

NvmlReading Nvml::bar1_total_bytes() const {
  const auto query = library_.find<Status(void*, Bar1Memory*)>("nvmlDeviceGetBAR1MemoryInfo");
  Bar1Memory memory{};
  if (device_ == nullptr || query == nullptr) {
    return {};
  }
  const Status status = query(device_, &memory);
  return reading_of(status, memory.total_bytes);
}

std::optional<std::string> Nvml::driver_version() const {
  const auto query = library_.find<Status(char*, unsigned)>("nvmlSystemGetDriverVersion");
  std::array<char, 257> buffer{};
  if (!initialised_ || query == nullptr || query(buffer.data(), buffer.size() - 1) != success) {
    return std::nullopt;
  }
  return std::string(buffer.data());
}

std::optional<std::string> Nvml::confidential_computing() const {
  const auto query = library_.find<Status(ConfidentialState*)>("nvmlSystemGetConfComputeState");
  ConfidentialState state{};
  if (!initialised_ || query == nullptr) {
    return std::nullopt;
  }
  const Status status = query(&state);
  if (status == success && state.feature == 1 && state.devtools_mode == 1) {
    return "on_devtools";
  }
  return describe(reading_of(status, state.feature), format_switch);
}

}  // namespace copybench
