// SPDX-License-Identifier: Apache-2.0
#include "common/measurement/pattern.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "common/measurement/weyl.hpp"

namespace copybench {
namespace {

constexpr std::uint64_t seed = 0x0123456789abcdefU;
constexpr std::uint64_t nothing = std::numeric_limits<std::uint64_t>::max();

std::vector<std::byte> pattern_of(std::size_t bytes) {
  std::vector<std::byte> data(bytes);
  fill_pattern(data, seed);
  return data;
}

// seed + i * 0x9e3779b97f4a7c15 modulo 2^64, worked out elsewhere.
TEST(Weyl, Words) {
  EXPECT_EQ(weyl_word(seed, 0), seed);
  EXPECT_EQ(weyl_word(0, 1), 0x9e3779b97f4a7c15U);
  EXPECT_EQ(weyl_word(0xffffffffffffffffU, 3), 0xdaa66d2c7ddf743eU);
  EXPECT_EQ(weyl_word(1, std::uint64_t{1} << 40U), 0x4a7c150000000001U);
}

TEST(Weyl, BytesAreThoseOfLittleEndianWords) {
  constexpr std::array<unsigned, 17> expected{0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01, 0x04,
                                              0x4a, 0xf6, 0x08, 0x21, 0xbf, 0x5a, 0x9f, 0x19};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(std::to_integer<unsigned>(weyl_byte(seed, i)), expected.at(i)) << i;
  }
}

TEST(BatchSeed, IsTheFinalizerOfMurmurHash3) {
  EXPECT_EQ(batch_seed(0), 0xb456bcfc34c2cb2cU);
  EXPECT_EQ(batch_seed(1), 0x3abf2a20650683e7U);
  EXPECT_EQ(batch_seed(2), 0x0b5181c509f8d8ceU);
}

TEST(BatchSeed, NeighboursDifferInTheirFirstByteNearlyAlways) {
  std::size_t equal = 0;
  for (std::uint64_t batch = 0; batch < 1000; ++batch) {
    equal += weyl_byte(batch_seed(batch), 0) == weyl_byte(batch_seed(batch + 1), 0) ? 1U : 0U;
  }
  EXPECT_LT(equal, 20U);  // 1 in 256 by chance
}

TEST(FillPattern, WritesEachByteAndNoneBeyond) {
  for (std::size_t bytes = 0; bytes <= 33; ++bytes) {
    std::vector<std::byte> data(bytes + 8, std::byte{0x5a});
    fill_pattern({data.data(), bytes}, seed);
    for (std::size_t i = 0; i < bytes; ++i) {
      EXPECT_EQ(data[i], weyl_byte(seed, i)) << i << " of " << bytes;
    }
    for (std::size_t i = bytes; i < data.size(); ++i) {
      EXPECT_EQ(data[i], std::byte{0x5a}) << i << " of " << bytes;
    }
  }
}

TEST(ComparePattern, AcceptsThePattern) {
  for (std::size_t bytes = 0; bytes <= 33; ++bytes) {
    const Mismatch mismatch = compare_pattern(pattern_of(bytes), seed);
    EXPECT_EQ(mismatch.count, 0U) << bytes;
    EXPECT_EQ(mismatch.first, nothing) << bytes;
  }
}

TEST(ComparePattern, FindsEachSingleBitOfEachByte) {
  for (std::size_t bytes = 1; bytes <= 25; ++bytes) {
    std::vector<std::byte> data = pattern_of(bytes);
    for (std::size_t i = 0; i < bytes; ++i) {
      for (unsigned bit = 0; bit < 8; ++bit) {
        data[i] ^= std::byte{1} << bit;
        const Mismatch mismatch = compare_pattern(data, seed);
        EXPECT_EQ(mismatch.count, 1U) << "bit " << bit << " of byte " << i << " of " << bytes;
        EXPECT_EQ(mismatch.first, i) << "bit " << bit << " of byte " << i << " of " << bytes;
        data[i] ^= std::byte{1} << bit;
      }
    }
  }
}

TEST(ComparePattern, CountsAllAndNamesTheFirst) {
  std::vector<std::byte> data = pattern_of(100);
  for (const std::size_t i : {std::size_t{17}, std::size_t{18}, std::size_t{99}}) {
    data[i] ^= std::byte{0xff};
  }
  const Mismatch mismatch = compare_pattern(data, seed);
  EXPECT_EQ(mismatch.count, 3U);
  EXPECT_EQ(mismatch.first, 17U);
}

// Large enough for several threads: the parts meet inside.
TEST(ComparePattern, FindsASingleByteAtTheSeamsOfLargeData) {
  constexpr std::size_t part = std::size_t{4} << 20U;
  std::vector<std::byte> data = pattern_of(2 * part + 5);
  EXPECT_EQ(compare_pattern(data, seed).count, 0U);
  for (const std::size_t i :
       {std::size_t{0}, part - 1, part, 2 * part - 1, 2 * part, 2 * part + 4}) {
    data[i] ^= std::byte{1};
    const Mismatch mismatch = compare_pattern(data, seed);
    EXPECT_EQ(mismatch.count, 1U) << i;
    EXPECT_EQ(mismatch.first, i);
    data[i] ^= std::byte{1};
  }
}

TEST(ComparePattern, FindsDataOfAnotherBatchAndShiftedData) {
  std::vector<std::byte> data(4096);
  fill_pattern(data, batch_seed(4));
  EXPECT_GT(compare_pattern(data, batch_seed(5)).count, 4000U);
  const std::span<const std::byte> shifted(data.data() + 8, data.size() - 8);
  EXPECT_GT(compare_pattern(shifted, batch_seed(4)).count, 3000U);
}

TEST(CompareConstant, FindsEachSingleByte) {
  constexpr std::byte value{0xa5};
  EXPECT_EQ(compare_constant({}, value).count, 0U);
  for (std::size_t bytes = 1; bytes <= 20; ++bytes) {
    std::vector<std::byte> data(bytes, value);
    EXPECT_EQ(compare_constant(data, value).count, 0U) << bytes;
    EXPECT_EQ(compare_constant(data, std::byte{0xa4}).count, bytes);
    for (std::size_t i = 0; i < bytes; ++i) {
      data[i] = std::byte{0xa4};
      const Mismatch mismatch = compare_constant(data, value);
      EXPECT_EQ(mismatch.count, 1U) << i << " of " << bytes;
      EXPECT_EQ(mismatch.first, i) << i << " of " << bytes;
      data[i] = value;
    }
  }
}

}  // namespace
}  // namespace copybench
