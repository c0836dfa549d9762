// SPDX-License-Identifier: Apache-2.0
#include "common/parallel.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace copybench {
namespace {

TEST(ParallelFor, CoversEachIndexOnce) {
  for (const std::size_t grain : {1U, 3U, 8U, 100U}) {
    for (std::size_t count = 0; count <= 70; ++count) {
      std::vector<std::atomic<int>> visits(count + 1);
      parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          ++visits[i];
        }
      });
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(visits[i], 1) << i << " of " << count << " by " << grain;
      }
      ASSERT_EQ(visits[count], 0) << count << " by " << grain;
    }
  }
}

TEST(ParallelFor, PartsBeginAtMultiplesOfTheGrain) {
  parallel_for(1003, 10, [](std::size_t begin, std::size_t end) {
    EXPECT_EQ(begin % 10, 0U);
    EXPECT_TRUE(end % 10 == 0 || end == 1003) << end;
  });
}

TEST(ParallelFor, StaysOnTheCallingThreadForOneGrain) {
  const std::thread::id caller = std::this_thread::get_id();
  parallel_for(10, 10,
               [&](std::size_t, std::size_t) { EXPECT_EQ(std::this_thread::get_id(), caller); });
}

}  // namespace
}  // namespace copybench
