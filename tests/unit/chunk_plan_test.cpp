// SPDX-License-Identifier: Apache-2.0
#include "common/staging/chunk_plan.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "common/staging/parallel_staging_settings.hpp"

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

// Whatever the array, the ring has a place for each of the chunks that fit into it.
TEST(ChunkPlan, ARingHasPlacesEnough) {
  for (const std::size_t chunk : {64U, 100U, 1000U, 4096U}) {
    for (const std::size_t piece : {1U, 7U, 64U, 5000U}) {
      for (const std::size_t chunks : {1U, 2U, 5U, 100U}) {
        const ChunkPlan plan =
            plan_for({.chunk_bytes = chunk, .chunks = chunks, .piece_bytes = piece});
        const std::size_t places = most_chunks_of(plan);
        EXPECT_LE(places, chunks + 64);
        for (std::size_t bytes = chunk * chunks; bytes + 2 * chunk > chunk * chunks; --bytes) {
          ASSERT_LE(chunks_of({bytes, plan.least_bytes, plan.most_bytes}).size(), places);
          if (bytes == 0) {
            break;
          }
        }
      }
    }
  }
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
