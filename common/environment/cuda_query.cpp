// SPDX-License-Identifier: Apache-2.0
#include "common/environment/cuda_query.hpp"

#include <array>
#include <cstddef>

#include "common/cuda/check.hpp"

namespace copybench {

bool has_answered(cudaError_t code, std::string_view api) {
  try {
    check(code, api);
    return true;
  } catch (const CudaError&) {
    return false;
  }
}

std::optional<std::string> query_pci_bus_id(int device) {
  std::array<char, 33> address{};
  if (!has_answered(cudaDeviceGetPCIBusId(address.data(), address.size() - 1, device),
                    "cudaDeviceGetPCIBusId")) {
    return std::nullopt;
  }
  return std::string(address.data());
}

std::optional<int> query_attribute(int device, cudaDeviceAttr attribute) {
  int value = 0;
  if (!has_answered(cudaDeviceGetAttribute(&value, attribute, device), "cudaDeviceGetAttribute")) {
    return std::nullopt;
  }
  return value;
}

std::optional<std::string> format_cuda_version(int version) {
  if (version <= 0) {
    return std::nullopt;
  }
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string format_uuid(std::string_view prefix, const cudaUUID_t& uuid) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text(prefix);
  for (std::size_t i = 0; i < sizeof(uuid.bytes); ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) {
      text += '-';
    }
    const auto byte = static_cast<unsigned char>(uuid.bytes[i]);
    text += digits[byte >> 4U];
    text += digits[byte & 15U];
  }
  return text;
}

}  // namespace copybench
