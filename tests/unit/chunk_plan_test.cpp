// SPDX-License-Identifier: Apache-2.0
#include "common/staging/chunk_plan.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace copybench {
namespace {

std::vector<std::size_t> chunks_of(const ChunkPlan& plan) {
  std::vector<std::size_t> chunks;
  for (std::size_t offset = 0; offset < plan.total_bytes; offset += chunks.back()) {
    chunks.push_back(plan.bytes_at(offset));
  }
  return chunks;
}

using Sizes = std::vector<std::size_t>;

TEST(ChunkPlan, GrowsFromTheLeastAndShrinksToIt) {
  EXPECT_EQ(chunks_of({100, 4, 16}), (Sizes{4, 4, 8, 16, 16, 16, 16, 8, 4, 4, 4}));
}

TEST(ChunkPlan, WhatIsNoMoreThanTheLeastIsOneChunk) {
  EXPECT_EQ(chunks_of({1, 4, 16}), Sizes{1});
  EXPECT_EQ(chunks_of({4, 4, 16}), Sizes{4});
  EXPECT_EQ(chunks_of({5, 4, 16}), (Sizes{4, 1}));
  EXPECT_EQ(chunks_of({0, 4, 16}), Sizes{});
}

TEST(ChunkPlan, ALeastOfTheMostIsChunksOfOneSize) {
  EXPECT_EQ(chunks_of({20, 8, 8}), (Sizes{8, 8, 4}));
}

TEST(ChunkPlan, NoSizeIsLostOrExceedsTheMost) {
  for (std::size_t total = 0; total < 300; ++total) {
    for (const std::size_t most : {3U, 7U, 64U}) {
      std::size_t sum = 0;
      for (const std::size_t bytes : chunks_of({total, 3, most})) {
        EXPECT_GE(bytes, 1U);
        EXPECT_LE(bytes, most);
        sum += bytes;
      }
      EXPECT_EQ(sum, total);
    }
  }
}

}  // namespace
}  // namespace copybench
