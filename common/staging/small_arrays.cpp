// SPDX-License-Identifier: Apache-2.0
#include "common/staging/small_arrays.hpp"

#include <cstring>
#include <utility>

namespace copybench {
namespace {

std::size_t packed_after(std::size_t packed, const ArrayCopy& array) {
  constexpr std::size_t alignment = 16;
  return packed + (array.bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

std::size_t packed_bytes(std::span<const ArrayCopy> arrays) {
  std::size_t packed = 0;
  for (const ArrayCopy& array : arrays) {
    packed = packed_after(packed, array);
  }
  return packed;
}

SmallArraysCopy::SmallArraysCopy(SmallArraysWay way, Direction direction,
                                 std::vector<ArrayCopy> arrays, PackingBlocks blocks,
                                 StreamView stream)
    : way_(way), direction_(direction), stream_(stream), arrays_(std::move(arrays)) {
  switch (way) {
    case SmallArraysWay::loop:
      return;
    case SmallArraysWay::batch:
      batch_ = std::make_unique<CopyBatch>(arrays_);
      return;
    case SmallArraysWay::pack:
      prepare_packing(blocks);
      return;
    case SmallArraysWay::mapped_gather:
      give_to_device(arrays_);
      return;
  }
}

void SmallArraysCopy::prepare_packing(PackingBlocks blocks) {
  const bool to_device = direction_ == Direction::h2d;
  std::vector<ArrayCopy> on_device;
  on_device.reserve(arrays_.size());
  moves_.reserve(arrays_.size());
  std::size_t packed = 0;
  for (const ArrayCopy& array : arrays_) {
    const ArrayCopy into{(to_device ? blocks.host : blocks.device) + packed, array.source,
                         array.bytes};
    const ArrayCopy out_of{array.destination, (to_device ? blocks.device : blocks.host) + packed,
                           array.bytes};
    moves_.push_back(to_device ? into : out_of);
    on_device.push_back(to_device ? out_of : into);
    packed = packed_after(packed, array);
  }
  packed_ = to_device ? ArrayCopy{blocks.device, blocks.host, packed}
                      : ArrayCopy{blocks.host, blocks.device, packed};
  give_to_device(on_device);
}

void SmallArraysCopy::give_to_device(std::span<const ArrayCopy> table) {
  device_table_ = std::make_unique<Buffer>(MemoryKind::device, table.size_bytes());
  copy(device_table_->data(), reinterpret_cast<const std::byte*>(table.data()), table.size_bytes(),
       Direction::h2d);
  // From pageable memory the synchronous form may return before the table has arrived, and a stream
  // that does not block would not wait for it.
  StreamView(cudaStreamLegacy).sync();
}

void SmallArraysCopy::operator()() {
  switch (way_) {
    case SmallArraysWay::loop:
      for (const auto& [destination, source, bytes] : arrays_) {
        copy_async(destination, source, bytes, direction_, stream_);
      }
      return;
    case SmallArraysWay::batch:
      (*batch_)(stream_);
      return;
    case SmallArraysWay::pack:
      if (direction_ == Direction::h2d) {
        move_on_host();
        copy_async(packed_.destination, packed_.source, packed_.bytes, direction_, stream_);
        launch();
      } else {
        launch();
        copy_async(packed_.destination, packed_.source, packed_.bytes, direction_, stream_);
        stream_.sync();
        move_on_host();
      }
      return;
    case SmallArraysWay::mapped_gather:
      launch();
      return;
  }
}

void SmallArraysCopy::launch() {
  launch_copy_arrays(stream_, reinterpret_cast<const ArrayCopy*>(device_table_->data()),
                     arrays_.size());
}

void SmallArraysCopy::move_on_host() const {
  for (const auto& [destination, source, bytes] : moves_) {
    std::memcpy(destination, source, bytes);
  }
}

}  // namespace copybench
