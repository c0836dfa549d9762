// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <optional>
#include <ostream>

#include "common/cuda/check.hpp"
#include "common/cuda/copy.hpp"
#include "common/kernels.hpp"
#include "tests/contract/contract.hpp"

namespace copybench {
namespace {

constexpr std::size_t bytes = 4096;

struct Memory {
  cudaStream_t stream;
  Buffer device{MemoryKind::device, bytes};
  Buffer pinned{MemoryKind::pinned, bytes};
  Buffer pageable{MemoryKind::pageable, bytes};
};

struct ArgumentCase {
  const char* name;
  const char* documented;
  std::optional<cudaError_t> promised;
  cudaError_t (*call)(const Memory&);
};
std::ostream& operator<<(std::ostream& out, const ArgumentCase& tested) {
  return out << tested.name;
}

// Frees what a call for zero bytes may have allocated.
cudaError_t allocate_nothing(cudaError_t (*allocate)(void**), cudaError_t (*free)(void*)) {
  void* memory = nullptr;
  const cudaError_t code = allocate(&memory);
  if (code == cudaSuccess) {
    check(free(memory), "free");
  }
  return code;
}

const std::array argument_cases{
    ArgumentCase{"MemcpyOfZeroBytes",
                 "not documented",
                 {},
                 [](const Memory& memory) {
                   return cudaMemcpy(memory.device.data(), memory.pageable.data(), 0,
                                     cudaMemcpyHostToDevice);
                 }},
    ArgumentCase{"MemcpyAsyncOfZeroBytes",
                 "not documented",
                 {},
                 [](const Memory& memory) {
                   return cudaMemcpyAsync(memory.device.data(), memory.pinned.data(), 0,
                                          cudaMemcpyHostToDevice, memory.stream);
                 }},
    ArgumentCase{"MemcpyAsyncOfZeroBytesWithoutMemory",
                 "not documented",
                 {},
                 [](const Memory& memory) {
                   return cudaMemcpyAsync(nullptr, nullptr, 0, cudaMemcpyHostToDevice,
                                          memory.stream);
                 }},
    ArgumentCase{"Memcpy2DAsyncOfNoRows",
                 "not documented",
                 {},
                 [](const Memory& memory) {
                   return cudaMemcpy2DAsync(memory.device.data(), 64, memory.pinned.data(), 64, 32,
                                            0, cudaMemcpyHostToDevice, memory.stream);
                 }},
    ArgumentCase{"Memcpy2DAsyncOfNoColumns",
                 "not documented",
                 {},
                 [](const Memory& memory) {
                   return cudaMemcpy2DAsync(memory.device.data(), 64, memory.pinned.data(), 64, 0,
                                            4, cudaMemcpyHostToDevice, memory.stream);
                 }},
    ArgumentCase{"MemsetOfZeroBytes",
                 "not documented",
                 {},
                 [](const Memory& memory) { return cudaMemset(memory.device.data(), 1, 0); }},
    ArgumentCase{"MemsetAsyncOfZeroBytes",
                 "not documented",
                 {},
                 [](const Memory& memory) {
                   return cudaMemsetAsync(memory.device.data(), 1, 0, memory.stream);
                 }},
    ArgumentCase{"MallocOfZeroBytes",
                 "not documented",
                 {},
                 [](const Memory&) {
                   return allocate_nothing([](void** place) { return cudaMalloc(place, 0); },
                                           cudaFree);
                 }},
    ArgumentCase{"HostAllocOfZeroBytes",
                 "not documented",
                 {},
                 [](const Memory&) {
                   return allocate_nothing(
                       [](void** place) { return cudaHostAlloc(place, 0, cudaHostAllocDefault); },
                       cudaFreeHost);
                 }},
    // A promise that an H200 (CUDA 13.0) does not keep.
    ArgumentCase{"MallocManagedOfZeroBytes",
                 "cudaErrorInvalidValue",
                 {},
                 [](const Memory&) {
                   return allocate_nothing(
                       [](void** place) {
                         return cudaMallocManaged(place, 0, cudaMemAttachGlobal);
                       },
                       cudaFree);
                 }},
    ArgumentCase{"MemcpyAsyncToNull", "cudaErrorInvalidValue", cudaErrorInvalidValue,
                 [](const Memory& memory) {
                   return cudaMemcpyAsync(nullptr, memory.pinned.data(), bytes,
                                          cudaMemcpyHostToDevice, memory.stream);
                 }},
    ArgumentCase{"MemcpyAsyncOfUnknownDirection", "cudaErrorInvalidMemcpyDirection",
                 cudaErrorInvalidMemcpyDirection,
                 [](const Memory& memory) {
                   return cudaMemcpyAsync(memory.device.data(), memory.pinned.data(), bytes,
                                          static_cast<cudaMemcpyKind>(7), memory.stream);
                 }},
    ArgumentCase{"Memcpy2DAsyncOfRowsWiderThanThePitch",
                 "the width must not exceed a pitch; which error, is not said",
                 {},
                 [](const Memory& memory) {
                   return cudaMemcpy2DAsync(memory.device.data(), 16, memory.pinned.data(), 16, 32,
                                            4, cudaMemcpyHostToDevice, memory.stream);
                 }},
    ArgumentCase{"Memcpy3DAsyncOfRowsWiderThanThePitch",
                 "the width must not exceed a pitch; which error, is not said",
                 {},
                 [](const Memory& memory) {
                   cudaMemcpy3DParms parameters{};
                   parameters.srcPtr = {memory.pinned.data(), 16, 32, 4};
                   parameters.dstPtr = {memory.device.data(), 16, 32, 4};
                   parameters.extent = {32, 4, 1};
                   parameters.kind = cudaMemcpyHostToDevice;
                   return cudaMemcpy3DAsync(&parameters, memory.stream);
                 }},
    ArgumentCase{"Memcpy3DAsyncOfNoSlices",
                 "not documented",
                 {},
                 [](const Memory& memory) {
                   cudaMemcpy3DParms parameters{};
                   parameters.srcPtr = {memory.pinned.data(), 64, 64, 4};
                   parameters.dstPtr = {memory.device.data(), 64, 64, 4};
                   parameters.extent = {32, 4, 0};
                   parameters.kind = cudaMemcpyHostToDevice;
                   return cudaMemcpy3DAsync(&parameters, memory.stream);
                 }},
    ArgumentCase{"MemcpyToSymbolAsyncPastItsEnd",
                 "must not reach past the symbol; which error, is not said",
                 {},
                 [](const Memory& memory) {
                   return cudaMemcpyToSymbolAsync(symbol(), memory.pinned.data(), bytes,
                                                  symbol_bytes - bytes + 1, cudaMemcpyHostToDevice,
                                                  memory.stream);
                 }},
    ArgumentCase{"MemcpyToSymbolAsyncToNoSymbol", "cudaErrorInvalidSymbol", cudaErrorInvalidSymbol,
                 [](const Memory& memory) {
                   return cudaMemcpyToSymbolAsync(memory.pinned.data(), memory.pinned.data(), bytes,
                                                  0, cudaMemcpyHostToDevice, memory.stream);
                 }},
    ArgumentCase{"StreamAddCallbackWithFlags",
                 "row 24: the flags must be 0; which error, is not said",
                 {},
                 [](const Memory& memory) {
                   return cudaStreamAddCallback(
                       memory.stream, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 1);
                 }},
};

class Arguments : public Contract, public testing::WithParamInterface<ArgumentCase> {};

TEST_P(Arguments, Returns) {
  const auto& tested = GetParam();
  documented(tested.documented);
  const Memory memory{stream_.get()};
  const cudaError_t code = tested.call(memory);
  const bool names_an_error = std::string_view(tested.documented).starts_with("cudaError");
  if (!tested.promised && names_an_error && tested.documented != result_of(code)) {
    contradicted();
  }
  if (std::string_view(tested.documented).find("must") != std::string_view::npos) {
    EXPECT_NE(code, cudaSuccess);
  }
  if (tested.promised) {
    EXPECT_EQ(code, *tested.promised);
  }
  observed(result_of(code));
  // Whatever it was, the stream goes on.
  fill(memory.pinned, new_byte);
  copy_async(memory.device.data(), memory.pinned.data(), bytes, Direction::h2d, stream_);
  stream_.sync();
  EXPECT_TRUE(holds(memory.device, new_byte));
}

INSTANTIATE_TEST_SUITE_P(Call, Arguments, testing::ValuesIn(argument_cases),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace copybench
