// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

namespace copybench::simulator {

enum class BlockKind { device, managed, pinned, registered };

/// Memory that CUDA knows of. Anything else in the process is pageable.
struct Block {
  BlockKind kind = BlockKind::device;
  std::size_t bytes = 0;
  int device = 0;
  std::byte* base = nullptr;
  /// Where the simulator reaches the bytes. Device memory has an address of its own, which host
  /// code cannot read or write: a program that tries crashes, as it does on a GPU.
  std::byte* view = nullptr;
  unsigned flags = 0;
  /// cudaMallocAsync's: freeing it waits for nobody.
  bool stream_ordered = false;
  /// A variable of the program's: nobody frees it.
  bool of_program = false;
};

/// Memory for a block whose addresses are still to be found. Throws Refusal.
std::byte* allocate_block(Block wanted);
/// What every allocating call does: a block of the current device for *pointer. Zero bytes give a
/// null pointer, and no error. Throws Refusal.
void allocate(void** pointer, Block wanted);
/// Takes the block that begins at `base` from the program; its memory lasts until it is released.
/// Throws Refusal when there is none of this kind.
[[nodiscard]] Block take_block(const void* base, BlockKind kind);
void release(const Block& block);

/// Makes memory of the program known, or no longer. Throw Refusal.
void register_block(void* base, std::size_t bytes, int device, unsigned flags);
void unregister_block(const void* base);

/// The block that holds the byte at `address`.
[[nodiscard]] std::optional<Block> find_block(const void* address);

/// The block that holds all the bytes; nothing when they begin in pageable memory. Throws Refusal
/// when they reach past a block's end. Contract row 31 promises the same for bytes that begin
/// before a block and reach into it, but those are copied as pageable memory is.
[[nodiscard]] std::optional<Block> find_range(const void* address, std::size_t bytes);

/// Where the simulator reaches a byte, whoever's it is.
[[nodiscard]] std::byte* host_view(const void* address);

/// Device memory in use on a device.
[[nodiscard]] std::size_t used_device_bytes(int device);

}  // namespace copybench::simulator
