// SPDX-License-Identifier: Apache-2.0
#include "common/run/batch.hpp"

#include <array>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""ns;
using std::chrono_literals::operator""s;

// Writes 10 ns, 20 ns, ... and ten times as much, and notes what is called.
class Recorder final : public Measurement {
 public:
  std::span<const std::string_view> figures() const override { return names; }
  std::size_t tracked() const override { return 1; }
  void prepare(std::uint64_t seed) override { calls += "p" + std::to_string(seed); }
  void sample(std::span<Nanoseconds> durations) override {
    calls += "s";
    next += 10ns;
    durations[0] = next;
    durations[1] = 10 * next;
  }
  void verify() override { calls += "v"; }
  Findings conclude(std::span<const Summary>) const override { return {}; }

  static constexpr std::array<std::string_view, 2> names{"short", "long"};
  std::string calls;
  Nanoseconds next{0};
};

const Beat no_beat = [] {};

TEST(SamplesPerBatch, IsWhatTheBudgetAffords) {
  EXPECT_EQ(samples_per_batch(100ms, 1ms, 3, 1000), 100U);
  EXPECT_EQ(samples_per_batch(100ms, 3ms, 3, 1000), 33U);
}

TEST(SamplesPerBatch, HasBounds) {
  EXPECT_EQ(samples_per_batch(100ms, 1s, 3, 1000), 3U);
  EXPECT_EQ(samples_per_batch(100ms, 1s, 10, 1000), 10U);
  EXPECT_EQ(samples_per_batch(100ms, 10ns, 3, 1000), 1000U);
  EXPECT_EQ(samples_per_batch(100ms, 0ns, 3, 1000), 1000U);
  // One whole loop is a sample of some measurements; that limit holds.
  EXPECT_EQ(samples_per_batch(100ms, 1s, 3, 1), 1U);
}

TEST(WarmUp, ChecksTheBytesAndStaysSmall) {
  Recorder measurement;
  int beats = 0;
  (void)warm_up(measurement, 7, 10s, [&] { ++beats; });
  EXPECT_EQ(measurement.calls, "p7ssssssv");
  EXPECT_EQ(beats, 8);
}

TEST(WarmUp, StopsAtTheBudget) {
  Recorder measurement;
  (void)warm_up(measurement, 7, 0ns, no_beat);
  EXPECT_EQ(measurement.calls, "p7ssv");
}

TEST(Samples, ABatchIsPreparedSampledAndVerified) {
  Recorder measurement;
  Samples samples(2);
  EXPECT_EQ(samples.take_batch(measurement, 3, 3, no_beat), 200ns);
  samples.keep_batch();
  EXPECT_EQ(measurement.calls, "p3sssv");
  // Its median is of this batch alone, the summaries are of all.
  EXPECT_EQ(samples.take_batch(measurement, 4, 3, no_beat), 500ns);
  samples.keep_batch();
  const auto summaries = samples.summarize();
  ASSERT_EQ(summaries.size(), 2U);
  EXPECT_EQ(summaries[0].samples, 6U);
  EXPECT_EQ(summaries[0].median, 35ns);
  EXPECT_EQ(summaries[1].median, 350ns);
  EXPECT_EQ(summaries[1].max, 600ns);
}

TEST(Samples, ABatchThatIsNotKeptDoesNotShow) {
  Recorder measurement;
  Samples samples(2);
  (void)samples.take_batch(measurement, 3, 3, no_beat);
  (void)samples.take_batch(measurement, 4, 3, no_beat);
  samples.keep_batch();
  const auto summaries = samples.summarize();
  EXPECT_EQ(summaries[0].samples, 3U);
  EXPECT_EQ(summaries[0].median, 50ns);
}

std::vector<Summary> two_summaries() {
  return {{5, 30ns, std::nullopt, std::nullopt, 50ns}, {5, 300ns, 450ns, std::nullopt, 500ns}};
}

TEST(RowCounters, DescribeTheTrackedFigureAndAllMedians) {
  const auto counters =
      row_counters(Recorder(), two_summaries(), {.label = "", .counters = {{"hold_ns", 2}}});
  EXPECT_EQ(counters, (std::map<std::string, double>{{"samples", 5},
                                                     {"p50_ns", 300},
                                                     {"p90_ns", 450},
                                                     {"max_ns", 500},
                                                     {"short_p50_ns", 30},
                                                     {"long_p50_ns", 300},
                                                     {"hold_ns", 2}}));
}

TEST(RowCounters, RefuseWhatWouldMakeTheJsonLie) {
  for (const char* name :
       {"real_time", "iterations", "label", "p50_ns", "samples", "long_p50_ns"}) {
    EXPECT_THROW(
        (void)row_counters(Recorder(), two_summaries(), {.label = "", .counters = {{name, 1}}}),
        std::runtime_error)
        << name;
  }
  for (const double value :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(
        (void)row_counters(Recorder(), two_summaries(), {.label = "", .counters = {{"x", value}}}),
        std::runtime_error);
  }
}

}  // namespace
}  // namespace copybench
