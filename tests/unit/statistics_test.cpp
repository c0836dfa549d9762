// SPDX-License-Identifier: Apache-2.0
#include "common/measurement/statistics.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace copybench {
namespace {

std::vector<Nanoseconds> times(std::initializer_list<int> values) {
  std::vector<Nanoseconds> result;
  for (const int value : values) {
    result.emplace_back(value);
  }
  return result;
}

// 1 ns, 2 ns, ... `count` ns.
std::vector<Nanoseconds> one_to(int count) {
  std::vector<Nanoseconds> result;
  for (int i = 1; i <= count; ++i) {
    result.emplace_back(i);
  }
  return result;
}

// The example of the nearest-rank method in textbooks: 15, 20, 35, 40, 50.
TEST(Percentile, IsTheNearestRank) {
  const auto sorted = times({15, 20, 35, 40, 50});
  EXPECT_EQ(percentile(sorted, 5).count(), 15);
  EXPECT_EQ(percentile(sorted, 20).count(), 15);
  EXPECT_EQ(percentile(sorted, 30).count(), 20);
  EXPECT_EQ(percentile(sorted, 40).count(), 20);
  EXPECT_EQ(percentile(sorted, 50).count(), 35);
  EXPECT_EQ(percentile(sorted, 100).count(), 50);
}

TEST(Percentile, OfZeroIsTheSmallest) { EXPECT_EQ(percentile(times({3, 4}), 0).count(), 3); }

TEST(Percentile, OfOneSampleIsThatSample) {
  for (const double percent : {0.0, 50.0, 90.0, 99.0, 100.0}) {
    EXPECT_EQ(percentile(times({7}), percent).count(), 7);
  }
}

TEST(Percentile, IsExactWhereTheRankIsWhole) {
  // 99 % of 100 is rank 99 although 0.99 * 100 is not 99 in binary.
  EXPECT_EQ(percentile(one_to(100), 99).count(), 99);
  EXPECT_EQ(percentile(one_to(100), 90).count(), 90);
  EXPECT_EQ(percentile(one_to(1000), 99).count(), 990);
  EXPECT_EQ(percentile(one_to(700), 29).count(), 203);
}

TEST(SupportsPercentile, NeedsASampleBeyond) {
  EXPECT_FALSE(supports_percentile(0, 90));
  EXPECT_FALSE(supports_percentile(1, 90));
  EXPECT_FALSE(supports_percentile(9, 90));
  EXPECT_TRUE(supports_percentile(10, 90));
  EXPECT_TRUE(supports_percentile(11, 90));
  EXPECT_FALSE(supports_percentile(99, 99));
  EXPECT_TRUE(supports_percentile(100, 99));
  EXPECT_FALSE(supports_percentile(1000000, 100));
}

TEST(Summarize, MiddleOfAnOddNumber) {
  const Summary summary = summarize(times({9, 1, 5}));
  EXPECT_EQ(summary.samples, 3U);
  EXPECT_EQ(summary.median.count(), 5);
  EXPECT_EQ(summary.max.count(), 9);
  EXPECT_FALSE(summary.p90);
  EXPECT_FALSE(summary.p99);
}

TEST(Summarize, MeanOfTheTwoMiddleOnes) {
  EXPECT_EQ(summarize(times({10, 2, 4, 8})).median.count(), 6);
  EXPECT_EQ(summarize(times({1, 2})).median.count(), 1);  // nanoseconds are whole
}

TEST(Summarize, DoesNotOverflow) {
  const auto big = Nanoseconds::max();
  EXPECT_EQ(summarize(std::vector{big, big}).median, big);
}

TEST(Summarize, OneHiccupDoesNotMoveTheMedian) {
  EXPECT_EQ(summarize(times({10, 11, 12, 13, 1000000})).median.count(), 12);
}

TEST(Summarize, DoesNotDependOnTheOrder) {
  auto samples = one_to(100);
  const Summary sorted = summarize(samples);
  std::ranges::reverse(samples);
  std::ranges::rotate(samples, samples.begin() + 37);
  const Summary shuffled = summarize(samples);
  EXPECT_EQ(sorted.median, shuffled.median);
  EXPECT_EQ(sorted.p90, shuffled.p90);
  EXPECT_EQ(sorted.p99, shuffled.p99);
  EXPECT_EQ(sorted.max, shuffled.max);
}

TEST(Summarize, PercentilesFromTenAndFromAHundredSamples) {
  EXPECT_FALSE(summarize(one_to(9)).p90);
  EXPECT_EQ(summarize(one_to(10)).p90, Nanoseconds(9));
  EXPECT_FALSE(summarize(one_to(99)).p99);
  EXPECT_EQ(summarize(one_to(99)).p90, Nanoseconds(90));  // rank 89.1, so 90
  EXPECT_EQ(summarize(one_to(100)).p99, Nanoseconds(99));
}

TEST(Summarize, RefusesNothing) {
  EXPECT_THROW((void)summarize(std::vector<Nanoseconds>{}), std::invalid_argument);
}

}  // namespace
}  // namespace copybench
