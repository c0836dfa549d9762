// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>

#include <cuda_runtime_api.h>

#include "simulator/call.hpp"
#include "simulator/devices.hpp"
#include "simulator/model.hpp"

using namespace copybench::simulator;

namespace {

struct Attribute {
  cudaDeviceAttr attribute;
  int value;
};

// Those that are not 0.
constexpr std::array<Attribute, 12> attributes{{{cudaDevAttrAsyncEngineCount, 2},
                                                {cudaDevAttrMultiProcessorCount, 1},
                                                {cudaDevAttrHostRegisterSupported, 1},
                                                {cudaDevAttrCanUseHostPointerForRegisteredMem, 1},
                                                {cudaDevAttrCanMapHostMemory, 1},
                                                {cudaDevAttrUnifiedAddressing, 1},
                                                {cudaDevAttrManagedMemory, 1},
                                                {cudaDevAttrConcurrentManagedAccess, 1},
                                                {cudaDevAttrMemoryPoolsSupported, 1},
                                                {cudaDevAttrConcurrentKernels, 1},
                                                {cudaDevAttrComputeCapabilityMajor, 1},
                                                {cudaDevAttrHostNumaId, -1}}};

constexpr int no_bus = 0xff;
std::atomic<unsigned> device_flags{cudaDeviceScheduleAuto};

}  // namespace

cudaError_t cudaDriverGetVersion(int* driverVersion) {
  return run_contextless_call("cudaDriverGetVersion", [&](const CallFaults&) {
    require(driverVersion != nullptr);
    *driverVersion = CUDART_VERSION;
  });
}

cudaError_t cudaRuntimeGetVersion(int* runtimeVersion) {
  return run_contextless_call("cudaRuntimeGetVersion", [&](const CallFaults&) {
    require(runtimeVersion != nullptr);
    *runtimeVersion = CUDART_VERSION;
  });
}

cudaError_t cudaGetDeviceCount(int* count) {
  return run_contextless_call("cudaGetDeviceCount", [&](const CallFaults&) {
    require(count != nullptr);
    *count = device_count();
  });
}

cudaError_t cudaSetDevice(int ordinal) {
  return run_call("cudaSetDevice", [&](const CallFaults&) { make_current(ordinal); });
}

cudaError_t cudaGetDevice(int* ordinal) {
  return run_contextless_call("cudaGetDevice", [&](const CallFaults&) {
    require(ordinal != nullptr);
    *ordinal = current_ordinal();
  });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return run_call("cudaSetDeviceFlags", [&](const CallFaults&) { device_flags = flags; });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return run_call("cudaGetDeviceFlags", [&](const CallFaults&) {
    require(flags != nullptr);
    *flags = device_flags;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attr, int ordinal) {
  return run_contextless_call("cudaDeviceGetAttribute", [&](const CallFaults&) {
    (void)device(ordinal);
    require(value != nullptr && attr > 0 && attr < cudaDevAttrMax);
    const auto* const found = std::ranges::find(attributes, attr, &Attribute::attribute);
    *value = found == attributes.end() ? 0 : found->value;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* pciBusId, int len, int ordinal) {
  return run_contextless_call("cudaDeviceGetPCIBusId", [&](const CallFaults&) {
    (void)device(ordinal);
    require(pciBusId != nullptr && len > 0);
    (void)std::snprintf(pciBusId, static_cast<std::size_t>(len), "FFFF:FF:%02X.0", ordinal);
  });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* prop, int ordinal) {
  return run_contextless_call("cudaGetDeviceProperties", [&](const CallFaults&) {
    (void)device(ordinal);
    require(prop != nullptr);
    *prop = {};
    (void)std::snprintf(prop->name, sizeof(prop->name), "copybench simulated device");
    (void)std::snprintf(prop->uuid.bytes, sizeof(prop->uuid.bytes), "simulated %d", ordinal);
    prop->totalGlobalMem = static_cast<std::size_t>(model().device_memory_bytes);
    prop->major = 1;
    prop->multiProcessorCount = 1;
    prop->pciBusID = no_bus;
    prop->pciDeviceID = ordinal;
  });
}

cudaError_t cudaDeviceCanAccessPeer(int* canAccessPeer, int ordinal, int peerDevice) {
  return run_call("cudaDeviceCanAccessPeer", [&](const CallFaults&) {
    (void)device(ordinal);
    (void)device(peerDevice);
    require(canAccessPeer != nullptr);
    *canAccessPeer = ordinal == peerDevice ? 0 : 1;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned flags) {
  return run_call("cudaDeviceEnablePeerAccess", [&](const CallFaults&) {
    (void)device(peerDevice);
    require(flags == 0);
    require(peerDevice != current_ordinal(), cudaErrorInvalidDevice);
  });
}
