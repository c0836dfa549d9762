// SPDX-License-Identifier: Apache-2.0
// What a lifetime row says: judged from the bytes, and put beside the promise.
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "benchmarks/lifetime_promises.hpp"
#include "benchmarks/lifetime_seen.hpp"
#include "common/measurement/pattern.hpp"
#include "common/measurement/verification.hpp"
#include "common/measurement/weyl.hpp"

namespace copybench {
namespace {

TEST(OtherSeed, ItsPatternAgreesInNoByte) {
  for (std::uint64_t batch = 0; batch < 50; ++batch) {
    const std::uint64_t seed = batch_seed(batch);
    for (std::size_t i = 0; i < 4096; ++i) {
      ASSERT_NE(weyl_byte(seed, i), weyl_byte(other_seed(seed), i)) << batch << ", " << i;
    }
  }
}

TEST(JudgeOverwrite, BytesDecideAndThenTheReturn) {
  EXPECT_EQ(judge_overwrite(64, 64, 0, false), Seen::captured);
  EXPECT_EQ(judge_overwrite(64, 64, 0, true), Seen::waited);
  EXPECT_EQ(judge_overwrite(64, 0, 64, false), Seen::reads_later);
  EXPECT_EQ(judge_overwrite(64, 0, 64, true), Seen::reads_later);
  EXPECT_EQ(judge_overwrite(64, 56, 8, false), Seen::torn);
  EXPECT_EQ(judge_overwrite(64, 8, 56, true), Seen::torn);
  EXPECT_EQ(judge_overwrite(67, 64, 3, false), Seen::torn);
  EXPECT_EQ(judge_overwrite(67, 3, 64, false), Seen::torn);
}

TEST(JudgeOverwrite, OneByteThatWasNeverInTheSourceIsAnError) {
  EXPECT_THROW((void)judge_overwrite(64, 63, 0, false), VerificationError);
  EXPECT_THROW((void)judge_overwrite(64, 0, 63, true), VerificationError);
  EXPECT_THROW((void)judge_overwrite(64, 0, 0, false), VerificationError);
}

// A flipped byte may be the one that the other pattern has there.
TEST(JudgeOverwrite, OneByteOfTheOtherPatternIsAnError) {
  EXPECT_THROW((void)judge_overwrite(64, 63, 1, false), VerificationError);
  EXPECT_THROW((void)judge_overwrite(64, 1, 63, false), VerificationError);
}

TEST(JudgeRead, NothingAPartAndAllOfIt) {
  EXPECT_EQ(judge_read(64, 0, false), Seen::stale);
  EXPECT_EQ(judge_read(64, 0, true), Seen::stale);
  EXPECT_EQ(judge_read(64, 1, true), Seen::torn);
  EXPECT_EQ(judge_read(64, 64, true), Seen::waited);
}

TEST(JudgeRead, NothingMayOvertakeAClosedGate) {
  EXPECT_THROW((void)judge_read(64, 1, false), VerificationError);
  EXPECT_THROW((void)judge_read(64, 64, false), VerificationError);
}

TEST(JudgeOtherStream, NothingAPartAndAllOfIt) {
  EXPECT_EQ(judge_other_stream(64, 0), Seen::stale);
  EXPECT_EQ(judge_other_stream(64, 1), Seen::torn);
  EXPECT_EQ(judge_other_stream(64, 63), Seen::torn);
  EXPECT_EQ(judge_other_stream(64, 64), Seen::complete);
}

SeenTally tally_of(const std::vector<Seen>& all) {
  SeenTally tally;
  for (const Seen seen : all) {
    tally.add(seen);
  }
  return tally;
}

TEST(SeenTally, NamesWhatAllSamplesShowed) {
  EXPECT_EQ(tally_of({Seen::torn}).describe(), "torn");
  EXPECT_EQ(tally_of({Seen::waited, Seen::waited}).describe(), "waited");
  EXPECT_EQ(tally_of({Seen::waited, Seen::captured}).describe(), "mixed");
}

TEST(SeenTally, CountsEachByItself) {
  const SeenTally tally = tally_of({Seen::stale, Seen::stale, Seen::complete, Seen::stale});
  EXPECT_EQ(tally.fraction(Seen::stale), 0.75);
  EXPECT_EQ(tally.fraction(Seen::complete), 0.25);
  EXPECT_EQ(tally.fraction(Seen::torn), 0);
}

TEST(LifetimePromise, CapturedIsKeptByTheOldBytesAlone) {
  const LifetimePromise promise =
      promise_of(Hazard::overwrite_source, CopyApi::memcpy, MemoryKind::pageable_stack, 64);
  EXPECT_TRUE(promise.is_kept_by(Seen::captured));
  EXPECT_TRUE(promise.is_kept_by(Seen::waited));
  EXPECT_FALSE(promise.is_kept_by(Seen::reads_later));
  EXPECT_FALSE(promise.is_kept_by(Seen::torn));
  EXPECT_FALSE(promise.is_known_to_be_broken);
}

TEST(LifetimePromise, CompleteIsBrokenByAStaleRead) {
  const LifetimePromise promise =
      promise_of(Hazard::read_destination, CopyApi::memcpy, MemoryKind::pinned, 64);
  EXPECT_TRUE(promise.is_kept_by(Seen::waited));
  EXPECT_FALSE(promise.is_kept_by(Seen::stale));
  EXPECT_FALSE(promise.is_kept_by(Seen::torn));
}

TEST(LifetimePromise, NothingIsKeptByAnything) {
  const LifetimePromise promise =
      promise_of(Hazard::overwrite_source, CopyApi::memcpy_async, MemoryKind::pinned, 64);
  for (std::size_t i = 0; i < seen_names.size(); ++i) {
    EXPECT_TRUE(promise.is_kept_by(static_cast<Seen>(i))) << seen_names.at(i);
  }
}

TEST(LifetimePromise, OnlyWhatWasSeenToBreakOneIsKnown) {
  constexpr std::size_t mebibyte = std::size_t{1} << 20U;
  const auto is_known = [](MemoryKind memory, std::size_t bytes,
                           CopyApi api = CopyApi::memcpy_batch_during_call) {
    return promise_of(Hazard::overwrite_source, api, memory, bytes).is_known_to_be_broken;
  };
  for (const MemoryKind memory : {MemoryKind::pageable, MemoryKind::pageable_stack}) {
    EXPECT_TRUE(is_known(memory, mebibyte));
    EXPECT_TRUE(is_known(memory, 4 * mebibyte));
    EXPECT_FALSE(is_known(memory, 64));
    EXPECT_FALSE(is_known(memory, 65536));
    EXPECT_FALSE(is_known(memory, mebibyte - 1));
    EXPECT_FALSE(is_known(memory, mebibyte, CopyApi::memcpy));
  }
  EXPECT_FALSE(is_known(MemoryKind::pageable_thp, mebibyte));
  EXPECT_FALSE(is_known(MemoryKind::registered, mebibyte));
}

TEST(LifetimePromise, ACaseWithoutOneIsAFaultInTheTables) {
  EXPECT_THROW(
      (void)promise_of(Hazard::other_stream, CopyApi::memcpy_async, MemoryKind::pinned, 64),
      std::out_of_range);
}

TEST(LifetimeLabel, PutsWhatWasSeenBesideThePromise) {
  const auto label = [](Seen seen, Hazard hazard, CopyApi api, MemoryKind memory, bool broken) {
    return lifetime_label(tally_of({seen}), promise_of(hazard, api, memory, 64), broken);
  };
  EXPECT_EQ(label(Seen::captured, Hazard::overwrite_source, CopyApi::memcpy_async,
                  MemoryKind::pageable, false),
            "captured; promised: nothing (row 2)");
  EXPECT_EQ(label(Seen::complete, Hazard::other_stream_after_sync, CopyApi::memcpy,
                  MemoryKind::pageable, false),
            "complete; promised: complete");
  EXPECT_EQ(label(Seen::reads_later, Hazard::overwrite_source, CopyApi::memcpy_batch_during_call,
                  MemoryKind::pageable, true),
            "reads_later; contradicts row 20");
}

}  // namespace
}  // namespace copybench
