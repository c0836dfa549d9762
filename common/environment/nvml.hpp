// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "common/environment/nvml_reading.hpp"
#include "common/environment/shared_library.hpp"

namespace copybench {

inline constexpr const char* nvml_library = "libnvidia-ml.so.1";

/// NVIDIA's management library, looking at one GPU. It reads and sets nothing.
///
/// Opened at run time, with prototypes of our own: nvml.h is an optional part of the toolkit that
/// many machines lack, and a program linked against the library would not start where there is no
/// driver. Where the library, the GPU or a function is missing, readings are unknown; nothing
/// throws.
class Nvml {
 public:
  /// The GPU is found by its PCI address, as cudaDeviceGetPCIBusId gives it. Its number would be
  /// another one: NVML knows neither CUDA_VISIBLE_DEVICES nor CUDA_DEVICE_ORDER.
  explicit Nvml(const std::string& pci_bus_id, const char* library = nvml_library);
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  Nvml(Nvml&&) = delete;
  Nvml& operator=(Nvml&&) = delete;

  // NVML's queries come in a few shapes; each of these takes the name of a function of one shape.
  /// f(device, unsigned* value)
  [[nodiscard]] NvmlReading number(const char* function) const;
  /// f(device, unsigned* current, unsigned* pending)
  [[nodiscard]] NvmlReading current_of_two(const char* function) const;
  /// f(device, unsigned long long* value)
  [[nodiscard]] NvmlReading wide_number(const char* function) const;
  /// f(device, char* text, unsigned length)
  [[nodiscard]] std::optional<std::string> text(const char* function) const;

  enum class Clock : unsigned { sm = 1, memory = 2 };
  /// f(device, clock, unsigned* megahertz)
  [[nodiscard]] NvmlReading clock_mhz(const char* function, Clock clock) const;

  [[nodiscard]] NvmlReading bar1_total_bytes() const;
  [[nodiscard]] std::optional<std::string> driver_version() const;
  /// "off", "on" or "on_devtools": staging through an encrypted bounce buffer changes every copy.
  [[nodiscard]] std::optional<std::string> confidential_computing() const;

 private:
  SharedLibrary library_;
  bool initialised_ = false;
  void* device_ = nullptr;
};

}  // namespace copybench
