// SPDX-License-Identifier: Apache-2.0
#include "common/run/remote/wire.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace copybench {
namespace {

using std::chrono_literals::operator""ns;

// What is read at the other end.
Words sent(const Words& words) {
  const std::string line = encode(words);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const std::optional<Words> read = decode(std::string_view(line).substr(0, line.size() - 1));
  EXPECT_TRUE(read.has_value());
  return read.value_or(Words{});
}

TEST(Line, AnyTextIsAWord) {
  const Words words{"error",
                    "",
                    " ",
                    "  two  ",
                    "\\",
                    "\\e",
                    "\\s",
                    "a\nb\r\n",
                    "\t\"quoted\"",
                    std::string("nul\0inside", 10),
                    "caf\xc3\xa9 \xff\xfe",
                    "-",
                    std::string(100'000, ' ')};
  EXPECT_EQ(sent(words), words);
  for (const std::string& word : words) {
    EXPECT_EQ(sent({word}), Words{word}) << word;
  }
}

TEST(Line, WhatEncodeDoesNotWriteIsNoLine) {
  for (const char* const line : {"", " ", "a  b", "a ", " a", "\\", "a\\", "\\q", "a\\e", "a\nb"}) {
    EXPECT_FALSE(decode(line).has_value()) << '"' << line << '"';
  }
}

TEST(Wire, ShapeComesBack) {
  Words words;
  put_shape(words, {{"blocked", "after opening", ""}, 2, 15, 1000});
  const Words read = sent(words);
  const Shape shape = WordReader(read).shape();
  EXPECT_EQ(shape.figures, (std::vector<std::string>{"blocked", "after opening", ""}));
  EXPECT_EQ(shape.tracked, 2U);
  EXPECT_EQ(shape.least_samples, 15U);
  EXPECT_EQ(shape.most_samples, 1000U);
}

TEST(Wire, ATrackedFigureThatIsNoneIsRefused) {
  Words words;
  put_shape(words, {{"blocked"}, 1, 1, 1});
  EXPECT_THROW((void)WordReader(words).shape(), WireError);
}

TEST(Wire, SummariesComeBackWithWhatIsMissing) {
  const std::array<Summary, 3> summaries{
      {{9, 1ns, std::nullopt, std::nullopt, 5ns},
       {10, Nanoseconds(std::numeric_limits<Nanoseconds::rep>::max()), 0ns, std::nullopt, 1ns},
       {1000, -3ns, 4ns, 5ns, Nanoseconds::min()}}};
  Words words;
  put_summaries(words, summaries);
  const Words lines = sent(words);
  const std::vector<Summary> read = WordReader(lines).summaries();
  ASSERT_EQ(read.size(), summaries.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].samples, summaries.at(i).samples);
    EXPECT_EQ(read[i].median, summaries.at(i).median);
    EXPECT_EQ(read[i].p90, summaries.at(i).p90);
    EXPECT_EQ(read[i].p99, summaries.at(i).p99);
    EXPECT_EQ(read[i].max, summaries.at(i).max);
  }
}

TEST(Wire, HalfASummaryIsRefused) {
  const Words words{"9", "1", "-", "-"};
  EXPECT_THROW((void)WordReader(words).summaries(), WireError);
}

TEST(Wire, FindingsComeBackToTheLastBit) {
  const Findings findings{"waits for \"queue\"\n",
                          {{"third", 1.0 / 3.0},
                           {"tiny", std::numeric_limits<double>::denorm_min()},
                           {"huge", std::numeric_limits<double>::max()},
                           {"negative zero", -0.0},
                           {"exact", 9007199254740993.0},
                           {"", 0.1}}};
  Words words;
  put_findings(words, findings);
  const Words lines = sent(words);
  const Findings read = WordReader(lines).findings();
  EXPECT_EQ(read.label, findings.label);
  EXPECT_EQ(read.counters, findings.counters);
  EXPECT_TRUE(std::signbit(read.counters.at("negative zero")));
}

// The parent refuses them with the name of the counter, which a failure to read would hide.
TEST(Wire, NumbersThatAreNoneComeBackToo) {
  Words words;
  put_findings(words, {"",
                       {{"infinite", -std::numeric_limits<double>::infinity()},
                        {"nan", std::numeric_limits<double>::quiet_NaN()}}});
  const Words lines = sent(words);
  const Findings read = WordReader(lines).findings();
  EXPECT_EQ(read.label, "");
  EXPECT_EQ(read.counters.at("infinite"), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(read.counters.at("nan")));
}

TEST(Wire, DurationsHaveToBeAsManyAsFigures) {
  const std::array<Nanoseconds, 2> durations{0ns, 123456789012345ns};
  Words words;
  put_durations(words, durations);
  std::array<Nanoseconds, 2> two{};
  WordReader(words).durations(two);
  EXPECT_EQ(two, durations);
  std::array<Nanoseconds, 1> one{};
  EXPECT_THROW(WordReader(words).durations(one), WireError);
  std::array<Nanoseconds, 3> three{};
  EXPECT_THROW(WordReader(words).durations(three), WireError);
}

TEST(Wire, FlagsAndProcessorsComeBack) {
  for (const std::optional<unsigned>& flags :
       {std::optional<unsigned>{}, std::optional<unsigned>{0}, std::optional<unsigned>{4}}) {
    for (const std::vector<int>& cpus : {std::vector<int>{}, {3}, {0, 1, 190}}) {
      Words words;
      put_flags(words, flags);
      put_cpus(words, cpus);
      const Words lines = sent(words);
      WordReader reader(lines);
      EXPECT_EQ(reader.flags(), flags);
      EXPECT_EQ(reader.cpus(), cpus);
      EXPECT_NO_THROW(reader.end());
    }
  }
}

TEST(Wire, WhatIsNoNumberIsRefused) {
  for (const char* const text : {"", "x", "1x", "-1", "18446744073709551616", " 1"}) {
    const Words words{text};
    EXPECT_THROW((void)WordReader(words).number(), WireError) << text;
  }
  EXPECT_THROW((void)WordReader(Words{}).word(), WireError);
}

TEST(Wire, CaseNamesComeBack) {
  const AxisValues values("wake_up", {{"call", "stream_sync"}, {"wait_us", "50"}});
  EXPECT_EQ(parse_case_name(values.name()).name(), values.name());
  EXPECT_EQ(parse_case_name(values.name()).number("wait_us"), 50U);
  EXPECT_THROW((void)parse_case_name(""), WireError);
  EXPECT_THROW((void)parse_case_name("wake_up/call"), WireError);
}

}  // namespace
}  // namespace copybench
