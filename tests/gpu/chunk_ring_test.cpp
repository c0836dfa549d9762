// SPDX-License-Identifier: Apache-2.0
#include "common/staging/chunk_ring.hpp"

#include <deque>
#include <random>

#include <gtest/gtest.h>

namespace copybench {
namespace {

TEST(ChunkRing, ChunksAreOneBehindTheOther) {
  ChunkRing ring(100, 8);
  ASSERT_TRUE(ring.has_room(100));
  const StagedChunk& first = ring.place(7, 30);
  std::byte* const memory = first.memory;
  EXPECT_EQ(first.offset, 7U);
  EXPECT_EQ(first.bytes, 30U);
  EXPECT_EQ(first.left, 30U);
  EXPECT_EQ(ring.place(37, 30).memory, memory + 30);
  EXPECT_FALSE(ring.has_room(41));
  EXPECT_TRUE(ring.has_room(40));
  EXPECT_EQ(ring.begin(), 0U);
  EXPECT_EQ(ring.end(), 2U);
}

TEST(ChunkRing, WhatDoesNotFitBehindTheLastBeginsAtTheBeginning) {
  ChunkRing ring(100, 8);
  std::byte* const memory = ring.place(0, 40).memory;
  ring.place(40, 40);
  EXPECT_FALSE(ring.has_room(30));
  ring.remove_oldest();
  ASSERT_TRUE(ring.has_room(30));
  EXPECT_EQ(ring.place(80, 30).memory, memory);
  // The second still lies from 40 on.
  EXPECT_TRUE(ring.has_room(10));
  EXPECT_FALSE(ring.has_room(11));
}

TEST(ChunkRing, AnEmptyRingGoesOnWithItsNextPage) {
  constexpr std::size_t page = 4096;
  ChunkRing ring(4 * page, 8);
  std::byte* const memory = ring.place(0, 40).memory;
  ring.remove_oldest();
  EXPECT_EQ(ring.begin(), 1U);
  EXPECT_EQ(ring.end(), 1U);
  EXPECT_EQ(ring.place(0, 2 * page).memory, memory + page);
  ring.clear();
  EXPECT_EQ(ring.begin(), 2U);
  EXPECT_EQ(ring.place(0, page).memory, memory + 3 * page);
}

TEST(ChunkRing, AnEmptyRingTakesAChunkOfItsSizeWhereverItIs) {
  ChunkRing ring(100, 8);
  std::byte* const memory = ring.place(0, 40).memory;
  ring.remove_oldest();
  EXPECT_TRUE(ring.has_room(100));
  EXPECT_FALSE(ring.has_room(101));
  EXPECT_EQ(ring.place(0, 100).memory, memory);
  EXPECT_FALSE(ring.has_room(1));
}

TEST(ChunkRing, AnEmptyRingIsRewoundAndNoOther) {
  ChunkRing ring(std::size_t{3} * 4096, 8);
  std::byte* const memory = ring.place(0, 4096).memory;
  ring.rewind();
  EXPECT_EQ(ring.place(0, 4096).memory, memory + 4096);
  ring.clear();
  ring.rewind();
  EXPECT_EQ(ring.place(0, 4096).memory, memory);
  EXPECT_EQ(ring.end(), 3U);
}

TEST(ChunkRing, HoldsNoMoreChunksThanItIsFor) {
  ChunkRing ring(100, 2);
  ring.place(0, 1);
  ring.place(1, 1);
  EXPECT_FALSE(ring.has_room(1));
  ring.remove_oldest();
  EXPECT_TRUE(ring.has_room(1));
}

// Whatever is placed and removed: no two chunks share a byte, and none leaves the memory.
TEST(ChunkRing, ChunksNeverOverlap) {
  constexpr std::size_t bytes = 97;
  ChunkRing ring(bytes, 7);
  std::byte* const memory = ring.place(0, bytes).memory;
  ring.remove_oldest();
  std::mt19937 random(1);  // NOLINT(bugprone-random-generator-seed): the same each time
  std::deque<std::size_t> live;
  for (int step = 0; step < 20'000; ++step) {
    const std::size_t wanted = 1 + random() % (step % 100 == 0 ? bytes : 40);
    if (live.empty() && random() % 4 == 0) {
      ring.rewind();
    } else if (random() % 50 == 0) {
      ring.clear();
      live.clear();
    }
    if (random() % 3 != 0 && ring.has_room(wanted)) {
      const StagedChunk& placed = ring.place(0, wanted);
      ASSERT_GE(placed.memory, memory);
      ASSERT_LE(placed.memory + wanted, memory + bytes);
      for (const std::size_t number : live) {
        const StagedChunk& other = ring[number];
        ASSERT_TRUE(placed.memory + wanted <= other.memory ||
                    other.memory + other.bytes <= placed.memory)
            << step;
      }
      live.push_back(ring.end() - 1);
    } else if (!live.empty()) {
      ASSERT_EQ(ring.begin(), live.front());
      ring.remove_oldest();
      live.pop_front();
    }
  }
}

}  // namespace
}  // namespace copybench
