// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/untouched_memory.hpp"

#include <memory>
#include <new>
#include <sys/mman.h>

namespace copybench {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20U;

}  // namespace

UntouchedMemory::UntouchedMemory(std::size_t bytes, bool huge_pages) {
  // In whole huge pages: the last bytes are to sit on one as well.
  const std::size_t rounded = (bytes + huge_page - 1) / huge_page * huge_page;
  std::size_t room = rounded + huge_page;
  void* memory = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    throw std::bad_alloc();
  }
  mapping_ = {static_cast<std::byte*>(memory), room};
  (void)std::align(huge_page, rounded, memory, room);
  bytes_ = {static_cast<std::byte*>(memory), bytes};
  (void)madvise(memory, rounded, huge_pages ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}

UntouchedMemory::~UntouchedMemory() { (void)munmap(mapping_.data(), mapping_.size()); }

}  // namespace copybench
