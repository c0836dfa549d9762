// SPDX-License-Identifier: Apache-2.0
#include "common/staging/piece_queue.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;

void expect_piece(const std::optional<PieceQueue::Piece>& piece, std::size_t chunk,
                  std::size_t offset, std::size_t bytes) {
  ASSERT_TRUE(piece);
  EXPECT_EQ(piece->chunk, chunk);
  EXPECT_EQ(piece->offset, offset);
  EXPECT_EQ(piece->bytes, bytes);
}

TEST(PieceQueue, HandsOutChunksInTheirOrderPieceByPiece) {
  PieceQueue queue(2, 10);
  queue.open();
  EXPECT_FALSE(queue.take());
  queue.add(7, 25);
  queue.add(8, 10);
  expect_piece(queue.take(), 7, 0, 10);
  expect_piece(queue.take(), 7, 10, 10);
  expect_piece(queue.take_or_wait(), 7, 20, 5);
  queue.add(9, 1);  // the first is wholly taken: there is room again
  expect_piece(queue.take(), 8, 0, 10);
  expect_piece(queue.take(), 9, 0, 1);
  EXPECT_FALSE(queue.take());
}

TEST(PieceQueue, WhatWasNotTakenIsForgottenOnClosing) {
  PieceQueue queue(2, 10);
  queue.open();
  queue.add(1, 25);
  expect_piece(queue.take(), 1, 0, 10);
  queue.close();
  EXPECT_FALSE(queue.take());
  EXPECT_FALSE(queue.take_or_wait());
  queue.open();
  queue.add(2, 3);
  queue.add(3, 3);
  expect_piece(queue.take(), 2, 0, 3);
  expect_piece(queue.take(), 3, 0, 3);
}

TEST(PieceQueue, AWaiterThatFellAsleepGetsWhatComesAndIsLetGoOnClosing) {
  PieceQueue queue(1, 10);
  queue.open();
  std::vector<std::size_t> got;
  std::thread waiter([&] {
    while (const auto piece = queue.take_or_wait()) {
      got.push_back(piece->chunk);
    }
  });
  for (const std::size_t chunk : {4U, 5U}) {
    std::this_thread::sleep_for(20ms);  // longer than its patience, most likely
    queue.add(chunk, 1);
  }
  std::this_thread::sleep_for(20ms);
  queue.close();
  waiter.join();
  EXPECT_EQ(got, (std::vector<std::size_t>{4, 5}));
}

TEST(PieceQueue, EveryByteIsHandedOutOnceToWhomever) {
  constexpr std::size_t chunks = 400;
  constexpr std::size_t bytes = 97;
  PieceQueue queue(3, 10);
  queue.open();
  std::vector<std::atomic<int>> taken(chunks * bytes);
  std::atomic<std::size_t> left = chunks * bytes;
  const auto copy = [&](const PieceQueue::Piece& piece) {
    for (std::size_t i = 0; i < piece.bytes; ++i) {
      ++taken[piece.chunk * bytes + piece.offset + i];
    }
    left -= piece.bytes;
  };
  std::vector<std::thread> helpers;
  for (int i = 0; i < 3; ++i) {
    helpers.emplace_back([&] {
      while (const auto piece = queue.take_or_wait()) {
        copy(*piece);
      }
    });
  }
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    // No more than three chunks are there at a time.
    while (left > (chunks - chunk + 2) * bytes) {
      if (const auto piece = queue.take()) {
        copy(*piece);
      }
    }
    queue.add(chunk, bytes);
  }
  while (left > 0) {
    std::this_thread::yield();
  }
  queue.close();
  for (std::thread& helper : helpers) {
    helper.join();
  }
  EXPECT_TRUE(std::ranges::all_of(taken, [](const std::atomic<int>& times) { return times == 1; }));
}

}  // namespace
}  // namespace copybench
