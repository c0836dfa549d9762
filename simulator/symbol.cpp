// SPDX-License-Identifier: Apache-2.0
// Device memory with a name: the one of common/kernels.hpp.
#include "simulator/symbol.hpp"

#include <map>
#include <mutex>

#include <cuda_runtime_api.h>

#include "common/kernels.hpp"
#include "simulator/call.hpp"
#include "simulator/devices.hpp"
#include "simulator/memory.hpp"
#include "simulator/transfer.hpp"

namespace copybench {
namespace {

// As with NVIDIA's compiler, the name is the address of something on the host.
constexpr std::byte name_of_symbol{};

}  // namespace

const void* symbol() { return &name_of_symbol; }

namespace simulator {

std::byte* symbol_on_device(const void* symbol, int device) {
  require(symbol == copybench::symbol(), cudaErrorInvalidSymbol);
  static std::mutex mutex;
  static std::map<int, std::byte*> instances;
  const std::scoped_lock lock(mutex);
  auto found = instances.find(device);
  if (found == instances.end()) {
    std::byte* const made = allocate_block(
        {.kind = BlockKind::device, .bytes = symbol_bytes, .device = device, .of_program = true});
    found = instances.emplace(device, made).first;
  }
  return found->second;
}

}  // namespace simulator
}  // namespace copybench

using namespace copybench::simulator;

cudaError_t cudaGetSymbolAddress(void** devPtr, const void* symbol) {
  return run_call("cudaGetSymbolAddress", [&](const CallFaults&) {
    require(devPtr != nullptr);
    *devPtr = symbol_on_device(symbol, current_ordinal());
  });
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* src, std::size_t count,
                                    std::size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return run_enqueueing_call("cudaMemcpyToSymbolAsync", [&](const CallFaults& faults) {
    (void)find_stream(stream);
    std::byte* const destination = symbol_on_device(symbol, current_ordinal());
    require(offset <= copybench::symbol_bytes && count <= copybench::symbol_bytes - offset);
    require(kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice ||
                kind == cudaMemcpyDefault,
            cudaErrorInvalidMemcpyDirection);
    if (count != 0) {
      copy_async(classify(destination + offset, src, count, kind), stream, faults);
    }
  });
}
