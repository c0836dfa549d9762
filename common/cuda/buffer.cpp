// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/buffer.hpp"

#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/mman.h>

#include <cuda_runtime_api.h>

#include "common/cuda/check.hpp"

namespace copybench {
namespace {

// Huge pages need memory aligned to one; ordinary buffers are aligned the same way, so that the
// kinds differ in their kind alone.
constexpr std::size_t alignment = std::size_t{2} << 20U;

std::byte* allocate_plain(std::size_t bytes, bool huge_pages) {
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  // Explicit both ways: with "always" as the system's setting plain memory would be huge as well.
  (void)madvise(memory, rounded, huge_pages ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  std::memset(memory, 0, bytes);
  return static_cast<std::byte*>(memory);
}

std::byte* allocate_pinned(std::size_t bytes, unsigned flags) {
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, bytes, flags), "cudaHostAlloc");
  return static_cast<std::byte*>(memory);
}

std::byte* allocate_registered(std::size_t bytes) {
  std::byte* memory = allocate_plain(bytes, false);
  try {
    check(cudaHostRegister(memory, bytes, cudaHostRegisterDefault), "cudaHostRegister");
  } catch (...) {
    std::free(memory);
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
      return allocate_plain(bytes, false);
    case MemoryKind::pageable_thp:
      return allocate_plain(bytes, true);
    case MemoryKind::pinned:
      return allocate_pinned(bytes, cudaHostAllocDefault);
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
    : kind_(kind), bytes_(bytes), memory_(allocate(kind, bytes), Free{kind}) {}

std::byte* Buffer::device_address() const {
  if (kind_ != MemoryKind::pinned_mapped) {
    return data();
  }
  void* address = nullptr;
  check(cudaHostGetDevicePointer(&address, data(), 0), "cudaHostGetDevicePointer");
  return static_cast<std::byte*>(address);
}

void Buffer::Free::operator()(std::byte* memory) const noexcept {
  switch (kind) {
    case MemoryKind::registered:
      (void)cudaHostUnregister(memory);
      std::free(memory);
      return;
    case MemoryKind::pageable:
    case MemoryKind::pageable_thp:
      std::free(memory);
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
