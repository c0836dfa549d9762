// SPDX-License-Identifier: Apache-2.0
#include "simulator/memory.hpp"

#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

#include "simulator/call.hpp"
#include "simulator/devices.hpp"
#include "simulator/model.hpp"
#include "simulator/report.hpp"

namespace copybench::simulator {
namespace {

constexpr std::size_t page = 4096;

std::size_t in_pages(std::size_t bytes) { return (bytes + page - 1) / page * page; }

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

struct Blocks {
  std::mutex mutex;
  // By the address of the first byte.
  std::map<std::uintptr_t, Block> by_base;

  // Never destroyed: static objects of the program free their memory late.
  static Blocks& get() {
    static auto* const blocks = new Blocks;
    return *blocks;
  }

  // The block with the highest base that is not above the address. Needs the mutex.
  [[nodiscard]] std::optional<Block> at(std::uintptr_t address) const {
    auto above = by_base.upper_bound(address);
    if (above == by_base.begin()) {
      return std::nullopt;
    }
    const Block& block = std::prev(above)->second;
    return address - number(block.base) < block.bytes ? std::optional(block) : std::nullopt;
  }

  // Whether some block begins in the range. Needs the mutex.
  [[nodiscard]] bool begins_within(std::uintptr_t address, std::size_t bytes) const {
    const auto next = by_base.lower_bound(address);
    return next != by_base.end() && next->first - address < bytes;
  }
};

std::byte* map(std::size_t bytes, int protection, int flags, int file) {
  void* const memory = mmap(nullptr, bytes, protection, flags, file, 0);
  if (memory == MAP_FAILED) {
    throw std::bad_alloc();
  }
  return static_cast<std::byte*>(memory);
}

// The same pages twice: at the device's address nobody may touch them.
void map_device_memory(Block& block) {
  const int file = memfd_create("copybench_sim", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(in_pages(block.bytes))) != 0) {
    (void)close(file);
    throw std::bad_alloc();
  }
  block.view = map(in_pages(block.bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file);
  block.base = map(in_pages(block.bytes), PROT_NONE, MAP_SHARED, file);
  (void)close(file);
}

void map_host_memory(Block& block) {
  block.base = map(in_pages(block.bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  block.view = block.base;
}

bool is_on_device(BlockKind kind) {
  return kind == BlockKind::device || kind == BlockKind::managed;
}

}  // namespace

void allocate(void** pointer, Block wanted) {
  require(pointer != nullptr);
  wanted.device = current_ordinal();
  *pointer = wanted.bytes > 0 ? allocate_block(wanted) : nullptr;
}

std::byte* allocate_block(Block wanted) {
  const auto limit = static_cast<std::size_t>(model().device_memory_bytes);
  require(!is_on_device(wanted.kind) ||
              (wanted.bytes <= limit && used_device_bytes(wanted.device) <= limit - wanted.bytes),
          cudaErrorMemoryAllocation);
  if (wanted.kind == BlockKind::device) {
    map_device_memory(wanted);
  } else {
    map_host_memory(wanted);
  }
  Blocks& blocks = Blocks::get();
  const std::scoped_lock lock(blocks.mutex);
  blocks.by_base.emplace(number(wanted.base), wanted);
  count_holding(Holding::allocation, wanted.of_program ? 0 : 1);
  return wanted.base;
}

Block take_block(const void* base, BlockKind kind) {
  Blocks& blocks = Blocks::get();
  const std::scoped_lock lock(blocks.mutex);
  const auto found = blocks.by_base.find(number(base));
  require(found != blocks.by_base.end() && found->second.kind == kind && !found->second.of_program);
  const Block block = found->second;
  blocks.by_base.erase(found);
  count_holding(Holding::allocation, -1);
  return block;
}

void release(const Block& block) {
  (void)munmap(block.base, in_pages(block.bytes));
  if (block.view != block.base) {
    (void)munmap(block.view, in_pages(block.bytes));
  }
}

void register_block(void* base, std::size_t bytes, int device, unsigned flags) {
  Blocks& blocks = Blocks::get();
  const std::scoped_lock lock(blocks.mutex);
  const auto at_base = blocks.at(number(base));
  require(!at_base || at_base->kind == BlockKind::registered);
  require(!at_base && !blocks.begins_within(number(base), bytes),
          cudaErrorHostMemoryAlreadyRegistered);
  auto* const first = static_cast<std::byte*>(base);
  blocks.by_base.emplace(number(base), Block{.kind = BlockKind::registered,
                                             .bytes = bytes,
                                             .device = device,
                                             .base = first,
                                             .view = first,
                                             .flags = flags});
}

void unregister_block(const void* base) {
  Blocks& blocks = Blocks::get();
  const std::scoped_lock lock(blocks.mutex);
  const auto block = blocks.at(number(base));
  require(block.has_value(), cudaErrorHostMemoryNotRegistered);
  require(block->base == base && block->kind == BlockKind::registered);
  blocks.by_base.erase(number(base));
}

std::optional<Block> find_block(const void* address) {
  Blocks& blocks = Blocks::get();
  const std::scoped_lock lock(blocks.mutex);
  return blocks.at(number(address));
}

std::optional<Block> find_range(const void* address, std::size_t bytes) {
  Blocks& blocks = Blocks::get();
  const std::scoped_lock lock(blocks.mutex);
  const auto block = blocks.at(number(address));
  require(!block || bytes <= block->bytes - (number(address) - number(block->base)));
  return block;
}

std::byte* host_view(const void* address) {
  const auto block = find_block(address);
  return block ? block->view + (number(address) - number(block->base))
               : static_cast<std::byte*>(const_cast<void*>(address));
}

std::size_t used_device_bytes(int device) {
  Blocks& blocks = Blocks::get();
  const std::scoped_lock lock(blocks.mutex);
  std::size_t used = 0;
  for (const auto& [base, block] : blocks.by_base) {
    used += is_on_device(block.kind) && block.device == device ? block.bytes : 0;
  }
  return used;
}

}  // namespace copybench::simulator
