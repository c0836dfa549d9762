// SPDX-License-Identifier: Apache-2.0
#include "common/run/options.hpp"

#include <gtest/gtest.h>

#include "common/run/exit_status.hpp"

namespace copybench {
namespace {

using Arguments = std::vector<std::string>;

std::string complaint(const std::string& argument) {
  try {
    (void)parse_options(Arguments{argument});
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Options, Defaults) {
  const Options options = parse_options({});
  EXPECT_EQ(options.profile, Profile::full);
  EXPECT_EQ(options.device, 0);
  EXPECT_FALSE(options.list_skipped);
  EXPECT_FALSE(options.progress);
  EXPECT_FALSE(options.help);
  EXPECT_FALSE(options.version);
  EXPECT_TRUE(options.axes.empty());
  EXPECT_EQ(options.watchdog, std::chrono::seconds(60));
  EXPECT_EQ(options.batch_budget(), std::chrono::milliseconds(100));
  EXPECT_TRUE(options.rest.empty());
}

TEST(Options, AllOfThem) {
  const Options options = parse_options(
      Arguments{"--copybench_profile=quick", "--copybench_device=3", "--copybench_list_skipped",
                "--copybench_axis=mem:pinned", "--copybench_axis=bytes:4,8",
                "--copybench_watchdog=2.5", "--copybench_progress"});
  EXPECT_EQ(options.profile, Profile::quick);
  EXPECT_EQ(options.device, 3);
  EXPECT_TRUE(options.list_skipped);
  EXPECT_TRUE(options.progress);
  EXPECT_EQ(options.axes, (Arguments{"mem:pinned", "bytes:4,8"}));
  EXPECT_EQ(options.watchdog, std::chrono::milliseconds(2500));
  EXPECT_EQ(options.batch_budget(), std::chrono::milliseconds(25));
}

TEST(Options, ATimelineNeedsTheNameOfAFile) {
  EXPECT_EQ(parse_options({}).timeline, "");
  EXPECT_EQ(parse_options(Arguments{"--copybench_timeline=a/b.svg"}).timeline, "a/b.svg");
  for (const char* const file : {"", ".svg", "a/.json", "a/"}) {
    const std::string flag = std::string("--copybench_timeline=") + file;
    EXPECT_EQ(complaint(flag), flag + ": expected the name of a file");
  }
}

TEST(Options, ProfilersAreLeftAloneUnlessAskedFor) {
  EXPECT_FALSE(parse_options({}).nvtx);
  EXPECT_EQ(parse_options({}).cupti, std::nullopt);
  EXPECT_TRUE(parse_options(Arguments{"--copybench_nvtx"}).nvtx);
  const auto cupti = [](const char* flag) { return parse_options(Arguments{flag}).cupti; };
  EXPECT_EQ(cupti("--copybench_cupti"), SpanSource::activity);
  EXPECT_EQ(cupti("--copybench_cupti=true"), SpanSource::activity);
  EXPECT_EQ(cupti("--copybench_cupti=callback"), SpanSource::callback);
  EXPECT_EQ(cupti("--copybench_cupti=false"), std::nullopt);
  EXPECT_EQ(complaint("--copybench_cupti=yes"),
            "--copybench_cupti=yes: expected activity or callback");
}

TEST(Options, ABudgetHoldsForBothProfiles) {
  for (const char* profile : {"--copybench_profile=quick", "--copybench_profile=full"}) {
    EXPECT_EQ(parse_options(Arguments{profile, "--copybench_budget_ms=7"}).batch_budget(),
              std::chrono::milliseconds(7));
  }
}

TEST(Options, WhatIsNotOursIsLeft) {
  const Options options = parse_options(
      Arguments{"--benchmark_filter=x", "--copybench_progress=false", "y", "--version"});
  EXPECT_EQ(options.rest, (Arguments{"--benchmark_filter=x", "y"}));
  EXPECT_FALSE(options.progress);
  EXPECT_TRUE(options.version);
}

TEST(Options, Help) {
  EXPECT_TRUE(parse_options(Arguments{"--help"}).help);
  EXPECT_TRUE(parse_options(Arguments{"--copybench_help"}).help);
}

TEST(Options, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(complaint("--copybench_profiles=quick"),
            "--copybench_profiles: unknown flag; --help lists them");
  EXPECT_EQ(complaint("--copybench_"), "--copybench_: unknown flag; --help lists them");
}

TEST(Options, NamesBothLimitsOfTheDevice) {
  EXPECT_EQ(complaint("--copybench_device=1e9"),
            "--copybench_device=1e9: expected the number of a CUDA device, from 0 to 1023");
  EXPECT_EQ(complaint("--copybench_device=1023"), "");
  EXPECT_NE(complaint("--copybench_device=1024"), "");
}

TEST(Options, RefusesBadValuesAndNamesThem) {
  for (const char* argument :
       {"--copybench_profile=fast", "--copybench_profile", "--copybench_device=-1",
        "--copybench_device=x", "--copybench_device=", "--copybench_device=1.5",
        "--copybench_device=99999999999", "--copybench_watchdog=0", "--copybench_watchdog=-3",
        "--copybench_watchdog=nan", "--copybench_watchdog=inf", "--copybench_watchdog=1e9",
        "--copybench_watchdog=5s", "--copybench_budget_ms=0", "--copybench_budget_ms=abc",
        "--copybench_progress=maybe", "--copybench_list_skipped=1"}) {
    EXPECT_NE(complaint(argument).find(": expected "), std::string::npos) << argument;
    EXPECT_TRUE(complaint(argument).starts_with(argument)) << complaint(argument);
  }
}

}  // namespace
}  // namespace copybench
