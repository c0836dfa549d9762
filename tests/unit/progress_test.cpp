// SPDX-License-Identifier: Apache-2.0
#include "common/run/progress.hpp"

#include <chrono>

#include <gtest/gtest.h>

namespace copybench {
namespace {

using std::chrono_literals::operator""h;
using std::chrono_literals::operator""min;
using std::chrono_literals::operator""s;

TEST(ProgressLine, ShowsNoTimeLeftBeforeTheFirstRepetition) {
  EXPECT_EQ(progress_line(0, 340, 2s, "a/b:1"), "0/340 (0 %), 0:02 elapsed: a/b:1");
}

TEST(ProgressLine, SupposesThatTheRestGoesOnLikeThis) {
  EXPECT_EQ(progress_line(10, 40, 61s, "a"), "10/40 (25 %), 1:01 elapsed, 3:03 left: a");
  EXPECT_EQ(progress_line(1, 3, 45min, "a"), "1/3 (33 %), 45:00 elapsed, 1:30:00 left: a");
}

TEST(ProgressLine, Ends) {
  EXPECT_EQ(progress_line(3, 3, 2h, "a"), "3/3 (100 %), 2:00:00 elapsed, 0:00 left: a");
  EXPECT_EQ(progress_line(0, 0, 0s, "a"), "0/0 (100 %), 0:00 elapsed: a");
}

}  // namespace
}  // namespace copybench
