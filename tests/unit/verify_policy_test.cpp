// SPDX-License-Identifier: Apache-2.0
#include "common/run/verify_policy.hpp"

#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "common/run/batch.hpp"

namespace copybench {
namespace {

struct Log {
  std::string calls;
  std::vector<std::uint64_t> seeds;
};

// Fails the check of one sample, unless a later sample has repaired what it left behind.
class Fragile final : public Measurement {
 public:
  Fragile(Log& log, int broken_sample) : log_(log), broken_sample_(broken_sample) {}

  std::span<const std::string_view> figures() const override { return names; }
  std::size_t tracked() const override { return 0; }
  void prepare(std::uint64_t seed) override {
    log_.calls += "p";
    log_.seeds.push_back(seed);
  }
  void sample(std::span<Nanoseconds> durations) override {
    log_.calls += "s";
    durations[0] = Nanoseconds(10);
    broken_ = samples_++ == broken_sample_;
  }
  void verify() override {
    log_.calls += "v";
    if (broken_) {
      throw std::runtime_error("wrong");
    }
  }
  Findings conclude(std::span<const Summary>) const override { return {"label", {}}; }
  std::size_t least_samples() const override { return 7; }
  std::size_t most_samples() const override { return 9; }

  static constexpr std::array<std::string_view, 1> names{"figure"};

 private:
  Log& log_;
  int broken_sample_;
  int samples_ = 0;
  bool broken_ = false;
};

void take_batch(Measurement& measurement, std::size_t count) {
  Samples samples(measurement.figures().size());
  (void)samples.take_batch(measurement, 5, count, [] {});
}

constexpr int never = -1;

TEST(VerifyPolicy, OncePerBatchIsTheMeasurementItself) {
  Log log;
  const auto measurement = enforce(VerifyPolicy::batch, std::make_unique<Fragile>(log, never));
  take_batch(*measurement, 3);
  EXPECT_EQ(log.calls, "psssv");
}

TEST(VerifyPolicy, EachSampleIsPreparedAndCheckedWithAPatternOfItsOwn) {
  Log log;
  const auto measurement = enforce(VerifyPolicy::sample, std::make_unique<Fragile>(log, never));
  take_batch(*measurement, 3);
  EXPECT_EQ(log.calls, "psvpsvpsv");
  EXPECT_EQ(log.seeds.front(), 5U);
  EXPECT_EQ(std::set(log.seeds.begin(), log.seeds.end()).size(), 3U);
}

// What the policy is for: which of the samples is wrong makes no difference.
TEST(VerifyPolicy, AWrongSampleThatALaterOneRepairsIsFound) {
  for (int broken = 0; broken < 3; ++broken) {
    Log log;
    const auto per_sample = enforce(VerifyPolicy::sample, std::make_unique<Fragile>(log, broken));
    EXPECT_THROW(take_batch(*per_sample, 3), std::runtime_error) << broken;
    const auto per_batch = enforce(VerifyPolicy::batch, std::make_unique<Fragile>(log, broken));
    if (broken == 2) {
      EXPECT_THROW(take_batch(*per_batch, 3), std::runtime_error);
    } else {
      EXPECT_NO_THROW(take_batch(*per_batch, 3)) << broken;
    }
  }
}

TEST(VerifyPolicy, EverythingElseIsPassedOn) {
  Log log;
  const auto measurement = enforce(VerifyPolicy::sample, std::make_unique<Fragile>(log, never));
  EXPECT_EQ(measurement->figures()[0], "figure");
  EXPECT_EQ(measurement->tracked(), 0U);
  EXPECT_EQ(measurement->least_samples(), 7U);
  EXPECT_EQ(measurement->most_samples(), 9U);
  EXPECT_EQ(measurement->conclude({}).label, "label");
}

}  // namespace
}  // namespace copybench
