// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/size_buckets.hpp"

#include <gtest/gtest.h>

namespace copybench {
namespace {

TEST(SizeBuckets, RiseByHalvesAndThirds) {
  EXPECT_EQ(bucket_elements(0), 4096U);
  EXPECT_EQ(bucket_elements(1), 6144U);
  EXPECT_EQ(bucket_elements(2), 8192U);
  EXPECT_EQ(bucket_elements(3), 12288U);
  EXPECT_EQ(bucket_elements(20), std::size_t{4} << 20U);
}

TEST(SizeBuckets, ThoseWithinASizeAreCounted) {
  EXPECT_EQ(buckets_within(0), 0U);
  EXPECT_EQ(buckets_within(4095), 0U);
  EXPECT_EQ(buckets_within(4096), 1U);
  EXPECT_EQ(buckets_within(6143), 1U);
  EXPECT_EQ(buckets_within(6144), 2U);
  EXPECT_EQ(buckets_within(std::size_t{4} << 20U), 21U);
}

TEST(SizeBuckets, TheLargestHoldsTwoThirdsAndNeverMoreThanAsked) {
  for (std::size_t elements = 0; elements < 100'000; ++elements) {
    const std::size_t held = elements_in_bucket(elements);
    ASSERT_LE(held, elements);
    if (elements >= 4096) {
      ASSERT_GT(3 * held, 2 * elements) << elements;
    }
  }
}

}  // namespace
}  // namespace copybench
