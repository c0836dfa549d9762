// SPDX-License-Identifier: Apache-2.0
#include "common/measurement/hold.hpp"

#include <array>

#include <gtest/gtest.h>

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""us;

Nanoseconds hold_for(std::array<Nanoseconds, 3> calls) {
  std::size_t made = 0;
  return hold_beyond(3ms, [&] { return calls.at(made++); });
}

TEST(HoldBeyond, AShortCallLeavesItAtTheLeast) {
  EXPECT_EQ(hold_for({1us, 1us, 1us}), 3ms);
  EXPECT_EQ(hold_for({2ms, 2ms, 2ms}), 3ms);
}

TEST(HoldBeyond, ALongCallDoublesItUntilThereIsHalfAsMuchToSpare) {
  EXPECT_EQ(hold_for({2001us, 2001us, 2001us}), 6ms);
  EXPECT_EQ(hold_for({4ms, 4ms, 4ms}), 6ms);
  EXPECT_EQ(hold_for({10ms, 10ms, 10ms}), 24ms);
}

TEST(HoldBeyond, TheShortestCallDecides) {
  EXPECT_EQ(hold_for({50ms, 1ms, 50ms}), 3ms);
  EXPECT_EQ(hold_for({50ms, 50ms, 10ms}), 24ms);
}

}  // namespace
}  // namespace copybench
