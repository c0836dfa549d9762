// SPDX-License-Identifier: Apache-2.0
#include "common/environment/gpu_info.hpp"

#include <array>
#include <system_error>

#include <cuda_runtime_api.h>

#include "common/environment/cuda_query.hpp"
#include "common/environment/driver_attributes.hpp"
#include "common/environment/kernel_module.hpp"
#include "common/environment/nvml.hpp"
#include "common/environment/nvml_facts.hpp"
#include "common/environment/pcie.hpp"
#include "common/environment/text.hpp"

namespace copybench {
namespace {

namespace fs = std::filesystem;

struct Attribute {
  const char* key;
  cudaDeviceAttr attribute;
};

constexpr std::array<Attribute, 3> counts{{{"async_engine_count", cudaDevAttrAsyncEngineCount},
                                           {"multiprocessor_count", cudaDevAttrMultiProcessorCount},
                                           {"compute_mode", cudaDevAttrComputeMode}}};

constexpr std::array<Attribute, 15> abilities{
    {{"pageable_memory_access", cudaDevAttrPageableMemoryAccess},
     {"pageable_memory_access_uses_host_page_tables",
      cudaDevAttrPageableMemoryAccessUsesHostPageTables},
     {"host_register_supported", cudaDevAttrHostRegisterSupported},
     {"host_register_read_only_supported", cudaDevAttrHostRegisterReadOnlySupported},
     {"can_use_host_pointer_for_registered_memory", cudaDevAttrCanUseHostPointerForRegisteredMem},
     {"can_map_host_memory", cudaDevAttrCanMapHostMemory},
     {"managed_memory", cudaDevAttrManagedMemory},
     {"concurrent_managed_access", cudaDevAttrConcurrentManagedAccess},
     {"direct_managed_memory_access_from_host", cudaDevAttrDirectManagedMemAccessFromHost},
     {"memory_pools_supported", cudaDevAttrMemoryPoolsSupported},
     {"concurrent_kernels", cudaDevAttrConcurrentKernels},
     {"host_native_atomic_supported", cudaDevAttrHostNativeAtomicSupported},
     {"gpu_integrated", cudaDevAttrIntegrated},
     // A display's watchdog would end a long gate.
     {"kernel_time_limit", cudaDevAttrKernelExecTimeout},
     {"mps_enabled", cudaDevAttrMpsEnabled}}};

void add_attribute_facts(Facts& facts, int device) {
  for (const Attribute& count : counts) {
    const auto value = query_attribute(device, count.attribute);
    add_fact(facts, count.key, value ? std::optional(std::to_string(*value)) : std::nullopt);
  }
  for (const Attribute& ability : abilities) {
    const auto value = query_attribute(device, ability.attribute);
    add_fact(facts, ability.key, value ? std::optional(*value == 0 ? "no" : "yes") : std::nullopt);
  }
}

void add_property_facts(Facts& facts, int device) {
  cudaDeviceProp properties{};
  const bool known =
      has_answered(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  const auto if_known = [&](const std::string& text) {
    return known ? std::optional(text) : std::nullopt;
  };
  const std::string name = properties.name;
  // A part of a GPU says so in its name ("NVIDIA H200 MIG 1g.18gb") and has a UUID of its own.
  const bool is_part = name.find(" MIG ") != std::string::npos;
  add_fact(facts, "gpu_name", if_known(name));
  add_fact(facts, "gpu_uuid", if_known(format_uuid(is_part ? "MIG" : "GPU", properties.uuid)));
  add_fact(facts, "gpu_compute_capability",
           if_known(std::to_string(properties.major) + "." + std::to_string(properties.minor)));
  add_fact(facts, "gpu_memory_total_bytes", if_known(std::to_string(properties.totalGlobalMem)));
}

// The host node closest to the GPU. -1 stands for "no idea", on machines with one node too.
std::optional<std::string> read_numa_node(int device, const fs::path& root,
                                          const std::string& directory) {
  const int of_runtime = query_attribute(device, cudaDevAttrHostNumaId).value_or(-1);
  const int of_kernel =
      parse_number<int>(read_value(root, directory + "/numa_node").value_or("")).value_or(-1);
  const int node = of_runtime >= 0 ? of_runtime : of_kernel;
  return node >= 0 ? std::optional(std::to_string(node)) : std::nullopt;
}

// "DMA" and "DMA-FQ" translate every address of a copy, "identity" does not.
std::optional<std::string> read_iommu_group_type(const fs::path& root,
                                                 const std::string& directory) {
  std::error_code error;
  const bool is_listed = fs::exists(root / directory, error);
  if (is_listed && !fs::exists(root / directory / "iommu_group", error)) {
    return error ? std::nullopt : std::optional("none");
  }
  return read_value(root, directory + "/iommu_group/type");
}

void add_version_facts(Facts& facts, const Nvml& nvml, const fs::path& root) {
  const std::string module = read_text(root, "proc/driver/nvidia/version").value_or("");
  const auto of_nvml = nvml.driver_version();
  add_fact(facts, "driver_version", of_nvml ? of_nvml : parse_driver_version(module));
  add_fact(facts, "driver_kernel_module", parse_kernel_module(module));

  int version = 0;
  bool known = has_answered(cudaDriverGetVersion(&version), "cudaDriverGetVersion");
  add_fact(facts, "cuda_driver_version", known ? format_cuda_version(version) : std::nullopt);
  known = has_answered(cudaRuntimeGetVersion(&version), "cudaRuntimeGetVersion");
  add_fact(facts, "cuda_runtime_version", known ? format_cuda_version(version) : std::nullopt);
}

}  // namespace

void add_gpu_facts(Facts& facts, int device, const fs::path& root) {
  const auto address = query_pci_bus_id(device);
  const Nvml nvml(address.value_or(""));
  add_pcie_facts(facts, read_pcie_link(nvml, address.value_or(""), root));
  add_nvml_facts(facts, nvml);

  add_fact(facts, "gpu_ordinal", std::to_string(device));
  add_fact(facts, "gpu_pci_bus_id", address);
  add_property_facts(facts, device);
  add_attribute_facts(facts, device);
  add_driver_attribute_facts(facts, address);
  add_version_facts(facts, nvml, root);

  const std::string directory = pci_device_directory(address.value_or("unknown"));
  add_fact(facts, "gpu_numa_node", read_numa_node(device, root, directory));
  add_fact(facts, "gpu_iommu_group_type", read_iommu_group_type(root, directory));
}

}  // namespace copybench
