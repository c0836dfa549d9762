// SPDX-License-Identifier: Apache-2.0
#include "common/measurement/break_even.hpp"

#include <gtest/gtest.h>

namespace copybench {
namespace {

using std::chrono_literals::operator""ns;
using std::chrono_literals::operator""us;

std::optional<std::uint64_t> copies(Nanoseconds pageable, Nanoseconds pinned, Nanoseconds once) {
  return break_even_copies({.pageable_copy = pageable, .pinned_copy = pinned, .once = once});
}

TEST(BreakEven, IsTheFirstWholeNumberOfCopiesThatTakeLess) {
  // 2 us are saved each time: 4 times are 8 us, 5 times are 10 us.
  EXPECT_EQ(copies(3us, 1us, 9us), 5U);
  EXPECT_EQ(copies(3us, 1us, 9999ns), 5U);
  EXPECT_EQ(copies(3us, 1us, 8001ns), 5U);
}

TEST(BreakEven, AsMuchAsItCostsIsNoGain) {
  // 4 * 2 us are the 8 us: the fifth copy is the first to pay.
  EXPECT_EQ(copies(3us, 1us, 8us), 5U);
  EXPECT_EQ(copies(3us, 1us, 7999ns), 4U);
  EXPECT_EQ(copies(3us, 1us, 2us), 2U);
}

TEST(BreakEven, IsAtLeastOneCopy) {
  EXPECT_EQ(copies(3us, 1us, 0us), 1U);
  EXPECT_EQ(copies(3us, 1us, 1999ns), 1U);
}

// Pageable 1.2 ms, pinned 311 us, pinned and unpinned in 3.2 ms: 3 copies save 2.667 ms, 4 save
// 3.556 ms.
TEST(BreakEven, OfAnArrayOf16Mebibytes) { EXPECT_EQ(copies(1200us, 311us, 3200us), 4U); }

TEST(BreakEven, NeedNotBe) {
  EXPECT_EQ(copies(1us, 1us, 0us), std::nullopt);
  EXPECT_EQ(copies(1us, 2us, 0us), std::nullopt);
  EXPECT_EQ(copies(0us, 0us, 5us), std::nullopt);
}

TEST(BreakEven, MayBeFarAway) { EXPECT_EQ(copies(1001ns, 1000ns, 1000000us), 1000000001U); }

TEST(PinningAdvice, IsOneOfThreeWords) {
  const auto word = [](std::optional<std::uint64_t> number) {
    return pinning_advice_names.at(static_cast<std::size_t>(advise(number)));
  };
  EXPECT_EQ(word(1), "pays_at_once");
  EXPECT_EQ(word(2), "pays_with_reuse");
  EXPECT_EQ(word(1000000001), "pays_with_reuse");
  EXPECT_EQ(word(std::nullopt), "never_pays");
}

}  // namespace
}  // namespace copybench
