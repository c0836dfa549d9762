// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/array_layout.hpp"

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace copybench {
namespace {

struct LaidOut {
  std::size_t bytes;
  std::size_t count;
};

// CTest names tests after it.
void PrintTo(const LaidOut& laid_out, std::ostream* out) {
  *out << laid_out.count << " arrays of " << laid_out.bytes << " bytes";
}

class ArraysOf : public testing::TestWithParam<LaidOut> {
 protected:
  static std::size_t bytes() { return GetParam().bytes; }
  static std::size_t count() { return GetParam().count; }
  [[nodiscard]] std::size_t extent() const { return ArrayLayout::extent(bytes(), count()); }

  // Where the copies lie at one end, in their order; addresses begin at 0.
  [[nodiscard]] std::vector<std::size_t> sources() const {
    return places([](const auto& copy) { return copy.source; });
  }
  [[nodiscard]] std::vector<std::size_t> destinations() const {
    return places([](const auto& copy) -> const std::byte* { return copy.destination; });
  }

  ArrayLayout layout_{bytes(), count()};

 private:
  template <typename End>
  [[nodiscard]] std::vector<std::size_t> places(const End& end) const {
    std::vector<std::byte> memory(extent());
    std::vector<std::size_t> found;
    for (const ArrayCopy& copy : layout_.copies(memory.data(), memory.data())) {
      found.push_back(static_cast<std::size_t>(end(copy) - memory.data()));
    }
    return found;
  }
};

INSTANTIATE_TEST_SUITE_P(Sizes, ArraysOf,
                         testing::Values(LaidOut{64, 1}, LaidOut{1, 2}, LaidOut{255, 16},
                                         LaidOut{256, 16}, LaidOut{257, 16}, LaidOut{1024, 256},
                                         LaidOut{64, 4096}, LaidOut{262'144, 4}),
                         [](const auto& tested) {
                           return std::to_string(tested.param.count) + "_of_" +
                                  std::to_string(tested.param.bytes);
                         });

TEST_P(ArraysOf, AreSoManyOfThisSize) {
  std::vector<std::byte> memory(extent());
  const std::vector<ArrayCopy> copies = layout_.copies(memory.data(), memory.data());
  EXPECT_EQ(copies.size(), count());
  EXPECT_TRUE(
      std::ranges::all_of(copies, [](const ArrayCopy& copy) { return copy.bytes == bytes(); }));
}

TEST_P(ArraysOf, BeginAtMultiplesOf256BytesWithAGapBehindEach) {
  for (std::vector<std::size_t> places : {sources(), destinations()}) {
    std::ranges::sort(places);
    for (std::size_t i = 0; i < places.size(); ++i) {
      EXPECT_EQ(places[i] % 256, 0U);
      const std::size_t next = i + 1 < places.size() ? places[i + 1] : extent();
      EXPECT_LT(places[i] + bytes(), next);
      EXPECT_LE(next, places[i] + bytes() + 256);
    }
  }
}

TEST_P(ArraysOf, AreCopiedInAnotherOrderThanTheirPlaces) {
  if (count() < 4) {
    return;
  }
  EXPECT_FALSE(std::ranges::is_sorted(sources()));
  EXPECT_FALSE(std::ranges::is_sorted(destinations()));
  EXPECT_NE(sources(), destinations());
}

TEST_P(ArraysOf, AreWhereTheyAreInEveryRun) {
  const ArrayLayout again(bytes(), count());
  std::vector<std::byte> memory(extent());
  const auto copies = layout_.copies(memory.data(), memory.data());
  const auto copies_again = again.copies(memory.data(), memory.data());
  for (std::size_t i = 0; i < count(); ++i) {
    EXPECT_EQ(copies[i].source, copies_again[i].source);
    EXPECT_EQ(copies[i].destination, copies_again[i].destination);
  }
}

TEST_P(ArraysOf, ArePiecesInRisingOrderThatSayWhereTheyWere) {
  const std::vector<std::size_t> from = sources();
  const std::vector<std::size_t> to = destinations();
  const std::vector<Piece> pieces = layout_.pieces();
  ASSERT_EQ(pieces.size(), count());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    EXPECT_EQ(pieces[i].bytes, bytes());
    EXPECT_TRUE(i == 0 || pieces[i - 1].offset < pieces[i].offset);
    const auto copied = std::ranges::find(to, pieces[i].offset);
    ASSERT_NE(copied, to.end());
    EXPECT_EQ(pieces[i].source_offset, from[static_cast<std::size_t>(copied - to.begin())]);
  }
}

TEST(ArrayLayout, NeedsRoomForTheGaps) {
  EXPECT_EQ(ArrayLayout::extent(1, 1), 256U);
  EXPECT_EQ(ArrayLayout::extent(255, 3), 768U);
  EXPECT_EQ(ArrayLayout::extent(256, 3), 1536U);
  EXPECT_EQ(ArrayLayout::extent(262'144, 256), 256U * (262'144U + 256U));
}

}  // namespace
}  // namespace copybench
