// SPDX-License-Identifier: Apache-2.0
// The kernel that copies arrays: every length, from and to every alignment, and nothing beside
// them.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "common/cuda/buffer.hpp"
#include "common/cuda/check.hpp"
#include "common/kernels.hpp"
#include "common/measurement/pattern.hpp"
#include "tests/gpu/memory_kinds.hpp"

namespace copybench {
namespace {

// A place in two buffers that are equally large.
struct PlacedArray {
  std::size_t destination;
  std::size_t source;
  std::size_t bytes;
};

// The threads of a block have 16 KiB under way at once.
constexpr std::array<std::size_t, 22> array_sizes{
    0,   1,   15,   16,   17,   31,   32,    33,    47,    64,    255,
    256, 257, 4095, 4096, 4097, 8191, 16383, 16384, 16385, 16415, 40'000};
constexpr std::array<std::size_t, 6> byte_offsets{0, 1, 4, 8, 15, 16};

// Each size from and to each offset; between them 32 bytes or more that belong to none.
std::vector<PlacedArray> all_places() {
  constexpr std::size_t alignment = 64;
  std::vector<PlacedArray> places;
  std::size_t next = 0;
  for (const std::size_t bytes : array_sizes) {
    for (const std::size_t source_offset : byte_offsets) {
      for (const std::size_t destination_offset : byte_offsets) {
        places.push_back({next + destination_offset, next + source_offset, bytes});
        next += (bytes / alignment + 2) * alignment;
      }
    }
  }
  return places;
}

class CopyArrays : public testing::TestWithParam<std::pair<MemoryKind, MemoryKind>> {
 protected:
  static constexpr std::byte untouched{0x77};

  // What is at the destination after one launch, and what should be.
  void expect_copied(const std::vector<PlacedArray>& places, std::size_t size) {
    const Buffer source(GetParam().first, size);
    const Buffer destination(GetParam().second, size);
    std::vector<std::byte> data(size);
    fill_pattern(data, 0x0123456789abcdefU);
    copy_any(source.data(), data.data(), size);
    std::vector<std::byte> expected(size, untouched);
    copy_any(destination.data(), expected.data(), size);

    std::vector<ArrayCopy> table;
    for (const PlacedArray& place : places) {
      table.push_back({destination.device_address() + place.destination,
                       source.device_address() + place.source, place.bytes});
      std::copy_n(data.begin() + static_cast<std::ptrdiff_t>(place.source), place.bytes,
                  expected.begin() + static_cast<std::ptrdiff_t>(place.destination));
    }
    const Buffer device_table(MemoryKind::device, table.size() * sizeof(ArrayCopy));
    copy_any(device_table.data(), reinterpret_cast<const std::byte*>(table.data()),
             device_table.size());
    launch_copy_arrays(stream_, reinterpret_cast<const ArrayCopy*>(device_table.data()),
                       table.size());
    stream_.sync();

    std::vector<std::byte> found(size);
    copy_any(found.data(), destination.data(), size);
    const auto wrong = std::ranges::mismatch(found, expected).in1;
    EXPECT_TRUE(wrong == found.end()) << "first wrong byte at " << wrong - found.begin();
  }

  Stream stream_{StreamKind::nonblocking};
};

INSTANTIATE_TEST_SUITE_P(Between, CopyArrays,
                         testing::Values(std::pair(MemoryKind::device, MemoryKind::device),
                                         std::pair(MemoryKind::pinned_mapped, MemoryKind::device),
                                         std::pair(MemoryKind::device, MemoryKind::pinned_mapped)),
                         [](const auto& tested) {
                           return std::string(name_of(tested.param.first, memory_kind_names)) +
                                  "_and_" +
                                  std::string(name_of(tested.param.second, memory_kind_names));
                         });

TEST_P(CopyArrays, OfEverySizeAndAlignment) {
  const std::vector<PlacedArray> places = all_places();
  expect_copied(places, places.back().source + 2 * array_sizes.back());
}

TEST_P(CopyArrays, OneAlone) { expect_copied({{3, 5, 100}}, 256); }

TEST_P(CopyArrays, ManyMoreThanRunAtOnce) {
  std::vector<PlacedArray> places;
  constexpr std::size_t count = 20'000;
  for (std::size_t i = 0; i < count; ++i) {
    places.push_back({48 * i, 48 * (count - 1 - i), 33});
  }
  expect_copied(places, 48 * count);
}

TEST(NoArrays, AreNoLaunch) {
  const Stream stream(StreamKind::nonblocking);
  EXPECT_THROW(launch_copy_arrays(stream, nullptr, 0), CudaError);
  (void)cudaGetLastError();
  EXPECT_NO_THROW(stream.sync());
}

}  // namespace
}  // namespace copybench
