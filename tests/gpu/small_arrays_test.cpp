// SPDX-License-Identifier: Apache-2.0
// Every way of copying many small arrays moves each of them, whole, and nothing else.
#include "common/staging/small_arrays.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "common/cuda/check.hpp"
#include "common/cuda/copy_api.hpp"
#include "common/measurement/verification.hpp"
#include "tests/gpu/memory_kinds.hpp"

namespace copybench {
namespace {

// In the order of the copies, which is not that of their places at either end.
const std::vector<Piece> pieces_in_order{{7000, 5000, 0},     {512, 1, 8192},     {100, 16, 6400},
                                         {0, 15, 6144},       {2048, 1000, 9216}, {300, 64, 11'264},
                                         {4001, 2049, 12'288}};
constexpr std::size_t room_for_pieces = 16'384;

std::vector<Piece> by_place(std::vector<Piece> pieces) {
  std::ranges::sort(pieces, {}, &Piece::offset);
  return pieces;
}

int version_of_driver() {
  int version = 0;
  check(cudaDriverGetVersion(&version), "cudaDriverGetVersion");
  return version;
}

using Copied = std::tuple<SmallArraysWay, Direction, MemoryKind>;

std::vector<Copied> every_way(Direction direction) {
  std::vector<Copied> all;
  for (const SmallArraysWay way :
       {SmallArraysWay::loop, SmallArraysWay::batch, SmallArraysWay::pack}) {
    all.emplace_back(way, direction, MemoryKind::pageable);
    all.emplace_back(way, direction, MemoryKind::pinned);
  }
  all.emplace_back(SmallArraysWay::mapped_gather, direction, MemoryKind::pinned_mapped);
  return all;
}

std::string name_of_way(const testing::TestParamInfo<Copied>& tested) {
  return std::string(name_of(std::get<0>(tested.param), small_arrays_way_names)) + "_" +
         std::string(name_of(std::get<2>(tested.param), memory_kind_names));
}

class SmallArraysBy : public testing::TestWithParam<Copied> {
 protected:
  void SetUp() override {
    if (way() == SmallArraysWay::batch &&
        !has_copy_api(CopyApi::memcpy_batch_stream, version_of_driver())) {
      GTEST_SKIP() << "needs CUDA 12.8";
    }
  }

  static SmallArraysWay way() { return std::get<0>(GetParam()); }
  static Direction direction() { return std::get<1>(GetParam()); }
  static MemoryKind source_kind() {
    return direction() == Direction::h2d ? std::get<2>(GetParam()) : MemoryKind::device;
  }
  static MemoryKind destination_kind() {
    return direction() == Direction::h2d ? MemoryKind::device : std::get<2>(GetParam());
  }

  [[nodiscard]] SmallArraysCopy copy() const {
    std::vector<ArrayCopy> arrays;
    for (const Piece& piece : pieces_in_order) {
      arrays.push_back({destination_.device_address() + piece.offset,
                        source_.device_address() + piece.source_offset, piece.bytes});
    }
    return {
        way(), direction(), std::move(arrays), {host_block_.data(), device_block_.data()}, stream_};
  }
  [[nodiscard]] Region source() const { return {source_kind(), source_.data(), room_for_pieces}; }
  [[nodiscard]] Region destination() const {
    return {destination_kind(), destination_.data(), room_for_pieces};
  }

  Stream stream_{StreamKind::nonblocking};
  Buffer source_{source_kind(), room_for_pieces + canary_bytes};
  Buffer destination_{destination_kind(), room_for_pieces + canary_bytes};
  Buffer host_block_{MemoryKind::pinned, room_for_pieces};
  Buffer device_block_{MemoryKind::device, room_for_pieces};
  Verifier verifier_;
};

INSTANTIATE_TEST_SUITE_P(ToDevice, SmallArraysBy, testing::ValuesIn(every_way(Direction::h2d)),
                         name_of_way);
INSTANTIATE_TEST_SUITE_P(ToHost, SmallArraysBy, testing::ValuesIn(every_way(Direction::d2h)),
                         name_of_way);

TEST_P(SmallArraysBy, MovesEachOfThemAndNothingElseInEveryCall) {
  SmallArraysCopy made = copy();
  for (const std::uint64_t seed : {11U, 12U, 13U}) {
    verifier_.fill(source(), seed);
    verifier_.poison(destination());
    made();
    stream_.sync();
    EXPECT_NO_THROW(verifier_.verify_pieces(destination(), by_place(pieces_in_order), seed));
  }
}

class SmallArraysToDeviceBy : public SmallArraysBy {};
INSTANTIATE_TEST_SUITE_P(Every, SmallArraysToDeviceBy, testing::ValuesIn(every_way(Direction::h2d)),
                         name_of_way);

TEST_P(SmallArraysToDeviceBy, WorkEnqueuedBehindItSeesThem) {
  SmallArraysCopy made = copy();
  const Buffer seen(MemoryKind::pinned, room_for_pieces + canary_bytes);
  verifier_.fill(source(), 21);
  verifier_.poison(destination());
  made();
  copy_async(seen.data(), destination_.data(), room_for_pieces + canary_bytes, Direction::d2h,
             stream_);
  stream_.sync();
  EXPECT_NO_THROW(verifier_.verify_pieces({MemoryKind::pinned, seen.data(), room_for_pieces},
                                          by_place(pieces_in_order), 21));
}

TEST(SmallArrays, PackedTheyBeginAtMultiplesOf16Bytes) {
  const auto packed = [](const std::vector<std::size_t>& sizes) {
    std::vector<ArrayCopy> arrays;
    for (const std::size_t bytes : sizes) {
      arrays.push_back({nullptr, nullptr, bytes});
    }
    return packed_bytes(arrays);
  };
  EXPECT_EQ(packed({}), 0U);
  EXPECT_EQ(packed({1}), 16U);
  EXPECT_EQ(packed({16, 16}), 32U);
  EXPECT_EQ(packed({17, 1, 64}), 112U);
}

}  // namespace
}  // namespace copybench
