// SPDX-License-Identifier: Apache-2.0
#include "common/environment/driver_attributes.hpp"

#include <cuda.h>

#include "common/environment/shared_library.hpp"

namespace copybench {

void add_driver_attribute_facts(Facts& facts, const std::optional<std::string>& pci_bus_id) {
  const SharedLibrary driver("libcuda.so.1");
  const auto init = driver.find<decltype(cuInit)>("cuInit");
  const auto find_device = driver.find<decltype(cuDeviceGetByPCIBusId)>("cuDeviceGetByPCIBusId");
  const auto query = driver.find<decltype(cuDeviceGetAttribute)>("cuDeviceGetAttribute");
  CUdevice device = 0;
  const bool found = init != nullptr && find_device != nullptr && query != nullptr && pci_bus_id &&
                     init(0) == CUDA_SUCCESS &&
                     find_device(&device, pci_bus_id->c_str()) == CUDA_SUCCESS;

  const auto read = [&](CUdevice_attribute attribute) -> std::optional<std::string> {
    int value = 0;
    if (!found || query(&value, attribute, device) != CUDA_SUCCESS) {
      return std::nullopt;
    }
    return value == 0 ? "no" : "yes";
  };
  // Version 1 of these calls is switched off in most drivers, version 2 has no switch of its own.
  add_fact(facts, "can_use_stream_mem_ops_v1", read(CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1));
  add_fact(facts, "can_use_64_bit_stream_mem_ops",
           read(CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS));
  add_fact(facts, "can_use_stream_wait_value_nor",
           read(CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR));
}

}  // namespace copybench
