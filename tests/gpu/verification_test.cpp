// SPDX-License-Identifier: Apache-2.0
// If the verifier is blind, nothing that the suite says can be believed: every way in which a copy
// can go wrong, in every kind of memory.
#include "common/measurement/verification.hpp"

#include <chrono>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "common/measurement/gate.hpp"
#include "common/measurement/pattern.hpp"
#include "common/measurement/weyl.hpp"
#include "tests/gpu/memory_kinds.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""s;

constexpr std::size_t largest = (std::size_t{1} << 20U) + 3;

// A source and a destination of one kind, the destination poisoned and the copy made.
class VerifierOf : public testing::TestWithParam<std::tuple<MemoryKind, std::size_t>> {
 protected:
  void SetUp() override {
    verifier_.poison(destination_);
    poison_ = read_byte(destination_.data);  // a canary when there are no bytes
    canary_ = read_byte(destination_.data + bytes());
    seed_ = telling_seed();
    verifier_.fill(source_, seed_);
  }

  static MemoryKind kind() { return std::get<0>(GetParam()); }
  static std::size_t bytes() { return std::get<1>(GetParam()); }

  // One byte may be equal to another one by chance; the tests want those at the edges to differ.
  [[nodiscard]] std::uint64_t telling_seed() const {
    for (std::uint64_t batch = 0;; ++batch) {
      const std::uint64_t seed = batch_seed(batch);
      const bool tells =
          bytes() == 0 ||
          (weyl_byte(seed, bytes() - 1) != poison_ && weyl_byte(seed, bytes() / 2) != poison_ &&
           weyl_byte(seed, 0) != poison_ && weyl_byte(seed, 0) != weyl_byte(seed, 1));
      if (tells) {
        return seed;
      }
    }
  }

  void copy_whole() const { copy_any(destination_.data, source_.data, bytes()); }

  [[nodiscard]] std::set<std::size_t> telling_places() const {
    return bytes() == 0 ? std::set<std::size_t>{}
                        : std::set<std::size_t>{0, bytes() / 2, bytes() - 1};
  }

  template <typename Check>
  static void expect_error(const Check& check, const std::string& beginning,
                           std::size_t first_byte) {
    try {
      check();
      FAIL() << "wrong bytes went unnoticed; expected one at byte " << first_byte;
    } catch (const VerificationError& error) {
      const std::string text = error.what();
      EXPECT_TRUE(text.starts_with(beginning)) << text;
      EXPECT_TRUE(text.ends_with("at byte " + std::to_string(first_byte))) << text;
    }
  }

  void expect_verify_error(const std::string& beginning, std::size_t first_byte) {
    expect_error([this] { verifier_.verify(destination_, seed_); }, beginning, first_byte);
  }

  Verifier verifier_;
  Buffer source_memory_{kind(), bytes() + canary_bytes};
  Buffer destination_memory_{kind(), bytes() + canary_bytes};
  Region source_{kind(), source_memory_.data(), bytes()};
  Region destination_{kind(), destination_memory_.data(), bytes()};
  std::byte poison_{};
  std::byte canary_{};
  std::uint64_t seed_ = 0;
};

INSTANTIATE_TEST_SUITE_P(
    Every, VerifierOf,
    testing::Combine(testing::ValuesIn(all_memory_kinds),
                     testing::Values<std::size_t>(0, 1, 7, 8, 9, 63, 64, 65, 4096, largest)),
    [](const auto& tested) {
      return std::string(name_of(std::get<0>(tested.param), memory_kind_names)) + "_" +
             std::to_string(std::get<1>(tested.param));
    });

TEST_P(VerifierOf, PassesACopy) {
  copy_whole();
  EXPECT_NO_THROW(verifier_.verify(destination_, seed_));
  EXPECT_NO_THROW(verifier_.verify_unguarded(destination_, seed_));
  EXPECT_NO_THROW(verifier_.verify_canaries(destination_));
}

TEST_P(VerifierOf, FillsEveryByteOfThePattern) {
  std::vector<std::byte> filled(bytes());
  copy_any(filled.data(), source_.data, bytes());
  for (std::size_t i = 0; i < bytes(); ++i) {
    ASSERT_EQ(filled[i], weyl_byte(seed_, i)) << "byte " << i;
  }
}

TEST_P(VerifierOf, FindsACopyThatNeverHappened) {
  if (bytes() == 0) {
    return;
  }
  expect_verify_error("copied data: ", 0);
  expect_error([this] { verifier_.verify_unguarded(destination_, seed_); }, "copied data: ", 0);
}

TEST_P(VerifierOf, FindsOneFlippedByte) {
  copy_whole();
  for (const std::size_t place : telling_places()) {
    const std::byte right = read_byte(destination_.data + place);
    write_byte(destination_.data + place, right ^ std::byte{0x10});
    expect_verify_error("copied data: 1 wrong bytes", place);
    write_byte(destination_.data + place, right);
  }
  EXPECT_NO_THROW(verifier_.verify(destination_, seed_));
}

TEST_P(VerifierOf, FindsACopyThatIsOneByteShort) {
  if (bytes() == 0) {
    return;
  }
  copy_any(destination_.data, source_.data, bytes() - 1);
  expect_verify_error("copied data: 1 wrong bytes", bytes() - 1);
}

TEST_P(VerifierOf, FindsAShiftedSource) {
  for (const std::size_t shift : {std::size_t{1}, std::size_t{8}}) {
    if (bytes() <= shift) {
      return;
    }
    copy_whole();
    copy_any(destination_.data, source_.data + shift, bytes() - shift);
    expect_verify_error("copied data: ", 0);
  }
}

TEST_P(VerifierOf, FindsAShiftedDestination) {
  if (bytes() < 2) {
    return;
  }
  copy_any(destination_.data + 1, source_.data, bytes() - 1);
  expect_verify_error("copied data: ", 0);
}

TEST_P(VerifierOf, FindsAnOverwrittenCanary) {
  copy_whole();
  for (const std::size_t place : {std::size_t{0}, canary_bytes / 2, canary_bytes - 1}) {
    write_byte(destination_.data + bytes() + place, canary_ ^ std::byte{0x80});
    expect_verify_error("canary past the end: 1 wrong bytes", bytes() + place);
    expect_error([this] { verifier_.verify_canaries(destination_); },
                 "canary past the end: 1 wrong bytes", bytes() + place);
    EXPECT_NO_THROW(verifier_.verify_unguarded(destination_, seed_));
    write_byte(destination_.data + bytes() + place, canary_);
  }
  EXPECT_NO_THROW(verifier_.verify(destination_, seed_));
}

TEST_P(VerifierOf, FindsTheDataOfAnotherBatch) {
  if (bytes() == 0) {
    return;
  }
  const std::uint64_t other = batch_seed(123'456);
  verifier_.fill(source_, other);
  copy_whole();
  std::size_t first = 0;
  while (first < bytes() && weyl_byte(other, first) == weyl_byte(seed_, first)) {
    ++first;
  }
  ASSERT_LT(first, bytes());
  expect_verify_error("copied data: ", first);
}

TEST_P(VerifierOf, SpoilMakesEveryByteWrongAndLeavesTheCanaries) {
  if (bytes() == 0) {
    return;
  }
  copy_whole();
  verifier_.spoil(destination_);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < bytes(); ++i) {
    wrong += weyl_byte(seed_, i) == poison_ ? 0U : 1U;
  }
  expect_verify_error("copied data: " + std::to_string(wrong) + " wrong bytes", 0);
  EXPECT_NO_THROW(verifier_.verify_canaries(destination_));
}

TEST_P(VerifierOf, WhatIsSpoiledSparselyAndLostIsNoticedHoweverOften) {
  if (bytes() == 0 || !is_host_accessible(kind())) {
    return;
  }
  copy_whole();
  constexpr std::size_t distance = 1000;
  for (int lost = 1; lost <= 3; ++lost) {
    Verifier::spoil_sparsely(destination_, seed_, distance);
    const std::size_t wrong =
        (bytes() + distance - 1) / distance + ((bytes() - 1) % distance == 0 ? 0 : 1);
    expect_verify_error("copied data: " + std::to_string(wrong) + " wrong bytes", 0);
    EXPECT_NO_THROW(verifier_.verify_canaries(destination_));
  }
}

TEST_P(VerifierOf, PassesAPrefixAndFindsWhatFollowsIt) {
  const std::size_t part = bytes() / 2;
  copy_any(destination_.data, source_.data, part);
  EXPECT_NO_THROW(verifier_.verify_prefix(destination_, part, seed_));
  if (part == bytes()) {
    return;
  }
  for (const std::size_t place : {part, bytes() - 1}) {
    write_byte(destination_.data + place, poison_ ^ std::byte{2});
    expect_error([&] { verifier_.verify_prefix(destination_, part, seed_); },
                 "data past the copy: 1 wrong bytes", place);
    write_byte(destination_.data + place, poison_);
  }
  // And data that should have been there.
  expect_error([&] { verifier_.verify_prefix(destination_, part + 1, seed_); },
               "copied data: 1 wrong bytes", part);
}

// Rows of ten bytes, every sixteen: the last gap belongs to the region.
class RowsOf : public testing::TestWithParam<MemoryKind> {
 protected:
  static constexpr std::size_t width = 10;
  static constexpr std::size_t pitch = 16;
  static constexpr std::size_t bytes = 4 * pitch;
  static constexpr std::uint64_t seed = 5;

  void SetUp() override {
    std::vector<std::byte> pattern(bytes);
    fill_pattern(pattern, seed);
    verifier_.poison(region_);
    for (std::size_t row = 0; row < bytes; row += pitch) {
      copy_any(region_.data + row, pattern.data() + row, width);
    }
  }
  [[nodiscard]] std::string error() {
    try {
      verifier_.verify_rows(region_, width, pitch, seed);
      return "";
    } catch (const VerificationError& error) {
      return error.what();
    }
  }
  // What is said of one byte that is not what it should be.
  [[nodiscard]] std::string error_with_wrong_byte(std::size_t place) {
    const std::byte right = read_byte(region_.data + place);
    write_byte(region_.data + place, right ^ std::byte{0x10});
    std::string text = error();
    write_byte(region_.data + place, right);
    return text;
  }

  Verifier verifier_;
  Buffer memory_{GetParam(), bytes + canary_bytes};
  Region region_{GetParam(), memory_.data(), bytes};
};

INSTANTIATE_TEST_SUITE_P(Every, RowsOf, testing::ValuesIn(all_memory_kinds), kind_name);

TEST_P(RowsOf, PassWhereTheyAreWhole) { EXPECT_EQ(error(), ""); }

TEST_P(RowsOf, AWrongByteInThemIsFound) {
  for (const std::size_t place : {std::size_t{0}, width - 1, pitch, 3 * pitch + width - 1}) {
    EXPECT_EQ(error_with_wrong_byte(place),
              "copied rows: 1 wrong bytes, the first at byte " + std::to_string(place));
  }
}

TEST_P(RowsOf, AWrongByteBetweenThemIsFound) {
  for (const std::size_t place : {width, pitch - 1, bytes - 1}) {
    EXPECT_EQ(error_with_wrong_byte(place),
              "copied rows: 1 wrong bytes, the first at byte " + std::to_string(place));
  }
}

TEST_P(RowsOf, AWrongByteBehindThemIsFound) {
  EXPECT_EQ(error_with_wrong_byte(bytes),
            "canary past the end: 1 wrong bytes, the first at byte " + std::to_string(bytes));
}

TEST_P(RowsOf, SeveralWrongBytesAreCounted) {
  write_byte(region_.data + pitch, ~weyl_byte(seed, pitch));
  write_byte(region_.data + width, std::byte{0});
  EXPECT_EQ(error(), "copied rows: 2 wrong bytes, the first at byte " + std::to_string(width));
}

TEST_P(RowsOf, OneThatIsMissingIsFound) {
  verifier_.spoil({region_.kind, region_.data + 2 * pitch, width});
  EXPECT_NE(error(), "");
}

// Arrays that were copied to other places than they came from.
class PiecesOf : public testing::TestWithParam<MemoryKind> {
 protected:
  static constexpr std::uint64_t seed = 0x123456789abcdef1U;
  static constexpr std::size_t bytes = 2048;

  void SetUp() override {
    verifier_.poison(region_);
    std::vector<std::byte> pattern(bytes);
    fill_pattern(pattern, seed);
    for (const Piece& piece : pieces_) {
      copy_any(region_.data + piece.offset, pattern.data() + piece.source_offset, piece.bytes);
    }
  }

  [[nodiscard]] std::string error() {
    try {
      verifier_.verify_pieces(region_, pieces_, seed);
    } catch (const VerificationError& error) {
      return error.what();
    }
    return "";
  }
  void flip(std::size_t place) const {
    write_byte(region_.data + place, ~read_byte(region_.data + place));
  }

  std::vector<Piece> pieces_{{0, 100, 1024}, {256, 1, 8}, {300, 333, 0}, {1024, 1023, 512}};
  Verifier verifier_;
  Buffer memory_{GetParam(), bytes + canary_bytes};
  Region region_{GetParam(), memory_.data(), bytes};
};

INSTANTIATE_TEST_SUITE_P(Every, PiecesOf, testing::ValuesIn(all_memory_kinds), kind_name);

TEST_P(PiecesOf, PassWhereTheyAreWhole) { EXPECT_EQ(error(), ""); }

TEST_P(PiecesOf, OneWrongByteInThemOrBetweenThemIsFound) {
  for (const std::size_t place :
       {0U, 50U, 99U, 100U, 255U, 256U, 257U, 299U, 300U, 632U, 633U, 1023U, 1024U, 2046U, 2047U}) {
    flip(place);
    EXPECT_EQ(error(), "copied arrays: 1 wrong bytes, the first at byte " + std::to_string(place));
    flip(place);
  }
}

TEST_P(PiecesOf, AWrongByteBehindTheRegionIsFound) {
  flip(bytes);
  EXPECT_TRUE(error().starts_with("canary past the end: 1 wrong bytes")) << error();
}

TEST_P(PiecesOf, SeveralWrongBytesAreCounted) {
  for (const std::size_t place : {1500U, 310U, 700U}) {
    flip(place);
  }
  EXPECT_EQ(error(), "copied arrays: 3 wrong bytes, the first at byte 310");
}

TEST_P(PiecesOf, OneThatWasCopiedFromElsewhereIsFound) {
  pieces_[1].source_offset = 16;
  EXPECT_EQ(error(), "copied arrays: 1 wrong bytes, the first at byte 256");
}

TEST_P(PiecesOf, NoneAtAllLeavePoisonAlone) {
  pieces_.clear();
  EXPECT_TRUE(error().starts_with("copied arrays: ")) << error();
  verifier_.poison(region_);
  EXPECT_EQ(error(), "");
}

TEST(Verifier, WorksWhileAnotherStreamIsBusy) {
  constexpr std::size_t bytes = 100'003;
  const Buffer memory(MemoryKind::device, bytes + canary_bytes);
  const Region region{MemoryKind::device, memory.data(), bytes};
  const Stream stream(StreamKind::nonblocking);
  Verifier verifier;
  Gate gate;
  gate.close(stream);
  gate.start_hold(5s);
  verifier.poison(region);
  verifier.fill(region, 5);
  EXPECT_NO_THROW(verifier.verify(region, 5));
  const TimePoint verified = now();
  EXPECT_LT(verified, gate.open());
  stream.sync();
  gate.require_opened_by_host();
}

class ConstantOf : public testing::TestWithParam<MemoryKind> {};

INSTANTIATE_TEST_SUITE_P(Every, ConstantOf, testing::ValuesIn(all_memory_kinds), kind_name);

TEST_P(ConstantOf, IsFoundWrongInEveryPiece) {
  // More than the verifier fetches at once.
  constexpr std::size_t bytes = (std::size_t{16} << 20U) + 5;
  const std::byte value = Verifier::constant(5);
  const Buffer memory(GetParam(), bytes + canary_bytes);
  const Region region{GetParam(), memory.data(), bytes};
  Verifier verifier;
  verifier.poison(region);
  EXPECT_THROW(verifier.verify_constant(region, value), VerificationError);
  const std::vector<std::byte> right(bytes, value);
  copy_any(memory.data(), right.data(), bytes);
  EXPECT_NO_THROW(verifier.verify_constant(region, value));
  for (const std::size_t place : {std::size_t{0}, bytes - 1, bytes}) {
    const std::byte before = read_byte(memory.data() + place);
    write_byte(memory.data() + place, before ^ std::byte{1});
    try {
      verifier.verify_constant(region, value);
      ADD_FAILURE() << "a wrong byte went unnoticed: " << place;
    } catch (const VerificationError& error) {
      EXPECT_EQ(error.what(), std::string(place < bytes ? "set memory" : "canary past the end") +
                                  ": 1 wrong bytes, the first at byte " + std::to_string(place));
    }
    write_byte(memory.data() + place, before);
  }
}

TEST(Verifier, ConstantsAreNeitherPoisonNorCanaries) {
  const Buffer memory(MemoryKind::pinned, 1 + canary_bytes);
  Verifier verifier;
  verifier.poison({MemoryKind::pinned, memory.data(), 1});
  std::set<std::byte> seen;
  for (std::uint64_t batch = 0; batch < 1000; ++batch) {
    seen.insert(Verifier::constant(batch_seed(batch)));
  }
  EXPECT_FALSE(seen.contains(memory.data()[0]));
  EXPECT_FALSE(seen.contains(memory.data()[1]));
  EXPECT_GT(seen.size(), 32U) << "data left over from an earlier batch would pass";
}

TEST(Verifier, TellsManyWrongBytesFromOne) {
  constexpr std::size_t bytes = (std::size_t{4} << 20U) + 1;  // more than one pass of the kernel
  const Buffer memory(MemoryKind::device, bytes + canary_bytes);
  const Region region{MemoryKind::device, memory.data(), bytes};
  Verifier verifier;
  verifier.poison(region);
  verifier.fill(region, 5);
  for (const std::size_t place : {bytes - 1, std::size_t{3'000'001}, std::size_t{2'000'000}}) {
    write_byte(memory.data() + place, weyl_byte(5, place) ^ std::byte{1});
  }
  try {
    verifier.verify(region, 5);
    FAIL() << "wrong bytes went unnoticed";
  } catch (const VerificationError& error) {
    EXPECT_STREQ(error.what(), "copied data: 3 wrong bytes, the first at byte 2000000");
  }
}

}  // namespace
}  // namespace copybench
