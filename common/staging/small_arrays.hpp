// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "common/cuda/buffer.hpp"
#include "common/cuda/copy.hpp"
#include "common/cuda/copy_batch.hpp"
#include "common/cuda/stream.hpp"
#include "common/kernels.hpp"

namespace copybench {

/// Ways of copying many small arrays, which lie anywhere, between host and device.
///   loop           one cudaMemcpyAsync for each
///   batch          one cudaMemcpyBatchAsync for all
///   pack           the host packs them into one pinned block, one copy, a kernel scatters them; to
///                  the host a kernel gathers them, one copy, the host unpacks
///   mapped_gather  a kernel reads them from mapped pinned memory, or writes them there
enum class SmallArraysWay { loop, batch, pack, mapped_gather };

inline constexpr std::array<std::string_view, 4> small_arrays_way_names{"loop", "batch", "pack",
                                                                        "mapped_gather"};

/// Pinned and device memory of packed_bytes() each, for the arrays as one block.
struct PackingBlocks {
  std::byte* host;
  std::byte* device;
};

/// What the arrays take one behind the other, each from a multiple of 16 bytes on, so that the
/// kernel can move 16 at a time.
[[nodiscard]] std::size_t packed_bytes(std::span<const ArrayCopy> arrays);

/// One set of arrays, copied again and again by one way, with the tables of its calls made
/// beforehand. Not thread-safe. Throws CudaError.
class SmallArraysCopy {
 public:
  /// `direction` is h2d or d2h, and no array is empty. For mapped_gather the pointers to the host's
  /// side are those of the device (mapped_address()). `blocks` is for pack alone, and outlives
  /// this.
  SmallArraysCopy(SmallArraysWay way, Direction direction, std::vector<ArrayCopy> arrays,
                  PackingBlocks blocks, StreamView stream);

  /// Copies all arrays once; the work of the last call must be done, because pack uses its block
  /// again. Work enqueued in the stream afterwards sees them on the device; on the host they are
  /// when the stream is drained, and by pack already when this returns.
  void operator()();

 private:
  void prepare_packing(PackingBlocks blocks);
  void give_to_device(std::span<const ArrayCopy> table);
  void launch();
  void move_on_host() const;

  SmallArraysWay way_;
  Direction direction_;
  StreamView stream_;
  std::vector<ArrayCopy> arrays_;
  std::unique_ptr<CopyBatch> batch_;
  // Of pack: what the host moves into its block or out of it, and the one copy between the blocks.
  std::vector<ArrayCopy> moves_;
  ArrayCopy packed_{};
  // What the kernel copies.
  std::unique_ptr<Buffer> device_table_;
};

}  // namespace copybench
