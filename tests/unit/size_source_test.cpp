// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/size_source.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace copybench {
namespace {

std::vector<std::size_t> draw(SizeDistribution distribution, std::size_t most, std::size_t count) {
  SizeSource source(distribution, most);
  std::vector<std::size_t> sizes(count);
  std::ranges::generate(sizes, [&] { return source.next(); });
  return sizes;
}

TEST(SizeSource, IsTheSameInEveryRun) {
  EXPECT_EQ(draw(SizeDistribution::uniform, 100'000, 100),
            draw(SizeDistribution::uniform, 100'000, 100));
}

TEST(SizeSource, FixedIsTheMost) {
  EXPECT_EQ(draw(SizeDistribution::fixed, 5, 3), (std::vector<std::size_t>{5, 5, 5}));
  EXPECT_EQ(SizeSource(SizeDistribution::fixed, 5).guess(), 5U);
}

TEST(SizeSource, UniformReachesBothEndsAndHasTheMeanOfItsGuess) {
  const std::vector<std::size_t> sizes = draw(SizeDistribution::uniform, 10, 10'000);
  for (std::size_t size = 0; size <= 10; ++size) {
    // A thousand of each of ten, give or take.
    EXPECT_NEAR(static_cast<double>(std::ranges::count(sizes, size)), 909, 150) << size;
  }
  EXPECT_EQ(SizeSource(SizeDistribution::uniform, 10).guess(), 5U);
}

TEST(SizeSource, MostlySmallIsNowAndThenTheMost) {
  const std::vector<std::size_t> sizes = draw(SizeDistribution::mostly_small, 100'000, 1600);
  const auto large = std::ranges::count(sizes, std::size_t{100'000});
  EXPECT_NEAR(static_cast<double>(large), 100, 50);
  EXPECT_EQ(std::ranges::count(sizes, std::size_t{100}) + large, 1600);
  EXPECT_EQ(SizeSource(SizeDistribution::mostly_small, 100'000).guess(), 100U);
}

TEST(SizeSource, NeverAsksForMoreThanTheMost) {
  for (const SizeDistribution distribution :
       {SizeDistribution::fixed, SizeDistribution::uniform, SizeDistribution::mostly_small}) {
    for (const std::size_t most : {0U, 1U, 2U}) {
      for (const std::size_t size : draw(distribution, most, 100)) {
        EXPECT_LE(size, most);
      }
      EXPECT_LE(SizeSource(distribution, most).guess(), most);
    }
  }
}

}  // namespace
}  // namespace copybench
