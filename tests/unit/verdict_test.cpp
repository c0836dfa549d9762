// SPDX-License-Identifier: Apache-2.0
#include "common/measurement/verdict.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "common/named_enum.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""ns;
using std::chrono_literals::operator""h;

TEST(JudgeIdle, ThreeFifthsOfTheCopyIsTheThreshold) {
  EXPECT_EQ(judge_idle(599ns, 1000ns), Verdict::async);
  EXPECT_EQ(judge_idle(600ns, 1000ns), Verdict::waits_for_copy);
  EXPECT_EQ(judge_idle(1000ns, 1000ns), Verdict::waits_for_copy);
}

TEST(JudgeIdle, AnEarlyReturnIsAsync) { EXPECT_EQ(judge_idle(2000ns, 5ms), Verdict::async); }

TEST(JudgeIdle, LongTimesDoNotOverflow) {
  EXPECT_EQ(judge_idle(24h, 25h), Verdict::waits_for_copy);
  EXPECT_EQ(judge_idle(1ns, 25h), Verdict::async);
}

TEST(JudgeBusy, OneCallInAHundredIsForgivenEitherWay) {
  EXPECT_EQ(judge_busy(0, 10), Verdict::async);
  EXPECT_EQ(judge_busy(1, 100), Verdict::async);
  EXPECT_EQ(judge_busy(99, 100), Verdict::waits_for_queue);
  EXPECT_EQ(judge_busy(10, 10), Verdict::waits_for_queue);
  EXPECT_EQ(judge_busy(3, 300), Verdict::async);
  EXPECT_EQ(judge_busy(297, 300), Verdict::waits_for_queue);
}

TEST(JudgeBusy, OfFewerThanAHundredOneIsForgiven) {
  EXPECT_EQ(judge_busy(1, 99), Verdict::async);
  EXPECT_EQ(judge_busy(1, 15), Verdict::async);
  EXPECT_EQ(judge_busy(14, 15), Verdict::waits_for_queue);
  EXPECT_EQ(judge_busy(1, 5), Verdict::async);
  EXPECT_EQ(judge_busy(4, 5), Verdict::waits_for_queue);
}

TEST(JudgeBusy, OfFewerThanFiveNoneIsForgiven) {
  EXPECT_EQ(judge_busy(1, 4), Verdict::mixed);
  EXPECT_EQ(judge_busy(3, 4), Verdict::mixed);
  EXPECT_EQ(judge_busy(1, 3), Verdict::mixed);
  EXPECT_EQ(judge_busy(4, 4), Verdict::waits_for_queue);
}

TEST(JudgeBusy, NothingIsNoVerdict) { EXPECT_THROW((void)judge_busy(0, 0), std::invalid_argument); }

TEST(JudgeBusy, EverythingBetweenIsMixed) {
  EXPECT_EQ(judge_busy(2, 5), Verdict::mixed);
  EXPECT_EQ(judge_busy(2, 15), Verdict::mixed);
  EXPECT_EQ(judge_busy(13, 15), Verdict::mixed);
  EXPECT_EQ(judge_busy(2, 199), Verdict::mixed);
  EXPECT_EQ(judge_busy(2, 100), Verdict::mixed);
  EXPECT_EQ(judge_busy(50, 100), Verdict::mixed);
  EXPECT_EQ(judge_busy(98, 100), Verdict::mixed);
}

TEST(JudgeBusy, OneSample) {
  EXPECT_EQ(judge_busy(0, 1), Verdict::async);
  EXPECT_EQ(judge_busy(1, 1), Verdict::waits_for_queue);
}

TEST(Verdict, NamesAreThoseOfTheVocabulary) {
  EXPECT_EQ(name_of(Verdict::async, verdict_names), "async");
  EXPECT_EQ(name_of(Verdict::waits_for_copy, verdict_names), "waits_for_copy");
  EXPECT_EQ(name_of(Verdict::waits_for_queue, verdict_names), "waits_for_queue");
  EXPECT_EQ(name_of(Verdict::mixed, verdict_names), "mixed");
}

}  // namespace
}  // namespace copybench
