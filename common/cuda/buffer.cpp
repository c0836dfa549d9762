// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/buffer.hpp"

#include <cstring>
#include <new>

#include <cuda_runtime_api.h>

#include "common/cuda/check.hpp"
#include "common/cuda/host_memory.hpp"

namespace copybench {
namespace {

// Where pinned_interior begins in its block: on no page boundary, but on one of cache lines.
constexpr std::size_t interior_offset = 4096 + 64;

std::byte* allocate_pinned(std::size_t bytes, unsigned flags) {
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, bytes, flags), "cudaHostAlloc");
  return static_cast<std::byte*>(memory);
}

std::byte* allocate_registered(std::size_t bytes) {
  std::byte* memory = allocate_heap(bytes, false);
  try {
    check(cudaHostRegister(memory, bytes, cudaHostRegisterDefault), "cudaHostRegister");
  } catch (...) {
    free_heap(memory);
    throw;
  }
  return memory;
}

std::byte* allocate_managed(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal), "cudaMallocManaged");
  std::memset(memory, 0, bytes);
  return static_cast<std::byte*>(memory);
}

std::byte* allocate_device(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes), "cudaMalloc");
  return static_cast<std::byte*>(memory);
}

std::byte* allocate(MemoryKind kind, std::size_t bytes) {
  switch (kind) {
    case MemoryKind::pageable:
      return allocate_heap(bytes, false);
    case MemoryKind::pageable_thp:
      return allocate_heap(bytes, true);
    case MemoryKind::pageable_file:
      return map_file(bytes);
    case MemoryKind::pageable_stack:
      return borrow_stack(bytes);
    case MemoryKind::pinned:
      return allocate_pinned(bytes, cudaHostAllocDefault);
    case MemoryKind::pinned_interior:
      return allocate_pinned(bytes + interior_offset, cudaHostAllocDefault) + interior_offset;
    case MemoryKind::pinned_write_combined:
      return allocate_pinned(bytes, cudaHostAllocWriteCombined);
    case MemoryKind::pinned_mapped:
      return allocate_pinned(bytes, cudaHostAllocMapped);
    case MemoryKind::registered:
      return allocate_registered(bytes);
    case MemoryKind::managed:
      return allocate_managed(bytes);
    case MemoryKind::device:
      return allocate_device(bytes);
  }
  throw std::bad_alloc();
}

}  // namespace

Buffer::Buffer(MemoryKind kind, std::size_t bytes)
    : kind_(kind), bytes_(bytes), memory_(allocate(kind, bytes), Free{kind, bytes}) {}

std::byte* Buffer::device_address() const {
  return kind_ == MemoryKind::pinned_mapped ? mapped_address(data()) : data();
}

std::byte* mapped_address(std::byte* memory) {
  void* address = nullptr;
  check(cudaHostGetDevicePointer(&address, memory, 0), "cudaHostGetDevicePointer");
  return static_cast<std::byte*>(address);
}

void Buffer::Free::operator()(std::byte* memory) const noexcept {
  switch (kind) {
    case MemoryKind::registered:
      (void)cudaHostUnregister(memory);
      free_heap(memory);
      return;
    case MemoryKind::pageable:
    case MemoryKind::pageable_thp:
      free_heap(memory);
      return;
    case MemoryKind::pageable_file:
      unmap_file(memory, bytes);
      return;
    case MemoryKind::pageable_stack:
      give_back_stack(memory);
      return;
    case MemoryKind::pinned_interior:
      (void)cudaFreeHost(memory - interior_offset);
      return;
    case MemoryKind::pinned:
    case MemoryKind::pinned_write_combined:
    case MemoryKind::pinned_mapped:
      (void)cudaFreeHost(memory);
      return;
    case MemoryKind::managed:
    case MemoryKind::device:
      (void)cudaFree(memory);
      return;
  }
}

}  // namespace copybench
