// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/pinned_range.hpp"

#include <cuda_runtime_api.h>

#include "common/cuda/check.hpp"

namespace copybench {
namespace {

bool is_in_pinned_memory(const std::byte& byte) {
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, &byte), "cudaPointerGetAttributes");
  return attributes.type == cudaMemoryTypeHost;
}

}  // namespace

PinnedRange PinnedRange::allocated(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, bytes, cudaHostAllocDefault), "cudaHostAlloc");
  return {static_cast<std::byte*>(memory), Kind::allocated};
}

PinnedRange PinnedRange::registered(std::span<std::byte> memory) {
  check(cudaHostRegister(memory.data(), memory.size(), cudaHostRegisterDefault),
        "cudaHostRegister");
  return {memory.data(), Kind::registered};
}

void PinnedRange::give_back() {
  if (memory_.get_deleter().kind == Kind::registered) {
    check(cudaHostUnregister(memory_.get()), "cudaHostUnregister");
  } else {
    check(cudaFreeHost(memory_.get()), "cudaFreeHost");
  }
  memory_.get_deleter().kind = Kind::given_back;
  memory_.reset();
}

void PinnedRange::GiveBack::operator()(std::byte* memory) const noexcept {
  if (kind == Kind::registered) {
    (void)cudaHostUnregister(memory);
  } else if (kind == Kind::allocated) {
    (void)cudaFreeHost(memory);
  }
}

bool is_pinned(std::span<const std::byte> memory) {
  return is_in_pinned_memory(memory.front()) && is_in_pinned_memory(memory.back());
}

}  // namespace copybench
