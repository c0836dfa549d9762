// SPDX-License-Identifier: Apache-2.0
#include "common/run/benchmark_flags.hpp"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "common/run/exit_status.hpp"
#include "common/run/name_filter.hpp"

namespace copybench {
namespace {

using Arguments = std::vector<std::string>;
using Variables = std::map<std::string, std::string>;

constexpr int old_version = 10701;
constexpr int new_version = 10905;

BenchmarkFlags check(const Arguments& arguments, int version = new_version,
                     const Variables& variables = {}) {
  return check_benchmark_flags(arguments, version, [&](const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
}

std::string complaint(const Arguments& arguments, int version = new_version,
                      const Variables& variables = {}) {
  try {
    (void)check(arguments, version, variables);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

bool passes(const BenchmarkFlags& flags, const std::string& argument) {
  return std::ranges::find(flags.arguments, argument) != flags.arguments.end();
}

TEST(BenchmarkFlags, Defaults) {
  const BenchmarkFlags flags = check({});
  EXPECT_EQ(flags.repetitions, 1);
  EXPECT_EQ(flags.format, "console");
  EXPECT_EQ(flags.out_format, "json");
  EXPECT_EQ(flags.out, "");
  EXPECT_EQ(flags.min_time_seconds, 0);
  EXPECT_FALSE(flags.fixed_iterations);
  EXPECT_FALSE(flags.list_tests);
}

TEST(BenchmarkFlags, TheLeastTimeSuitsTheVersion) {
  EXPECT_TRUE(passes(check({}, old_version), "--benchmark_min_time=0"));
  EXPECT_TRUE(passes(check({}, new_version), "--benchmark_min_time=0s"));
}

TEST(BenchmarkFlags, MinTimeInAllItsForms) {
  EXPECT_EQ(check({"--benchmark_min_time=0.5"}).min_time_seconds, 0.5);
  EXPECT_TRUE(passes(check({"--benchmark_min_time=0.5"}), "--benchmark_min_time=0.5s"));
  EXPECT_TRUE(
      passes(check({"--benchmark_min_time=0.5s"}, old_version), "--benchmark_min_time=0.5"));
  EXPECT_TRUE(check({"--benchmark_min_time=20x"}).fixed_iterations);
  EXPECT_TRUE(passes(check({"--benchmark_min_time=20x"}), "--benchmark_min_time=20x"));
  EXPECT_EQ(
      complaint({"--benchmark_min_time=20x"}, old_version),
      "--benchmark_min_time=20x: a number of iterations needs Google Benchmark 1.8.0 or newer");
}

TEST(BenchmarkFlags, WritingFilteringAndListingStayOurs) {
  const BenchmarkFlags flags =
      check({"--benchmark_out=a.json", "--benchmark_filter=-b", "--benchmark_list_tests"});
  EXPECT_EQ(flags.out, "a.json");
  EXPECT_EQ(flags.filter, "-b");
  EXPECT_TRUE(flags.list_tests);
  EXPECT_TRUE(passes(flags, "--benchmark_out=/dev/null"));
  EXPECT_FALSE(passes(flags, "--benchmark_out=a.json"));
  EXPECT_TRUE(passes(flags, "--benchmark_list_tests=false"));
}

TEST(BenchmarkFlags, TheLastOneCounts) {
  const BenchmarkFlags flags = check({"--benchmark_repetitions=3", "--benchmark_repetitions=5",
                                      "--benchmark_out=a", "--benchmark_out=b"});
  EXPECT_EQ(flags.repetitions, 5);
  EXPECT_EQ(flags.out, "b");
}

TEST(BenchmarkFlags, TheEnvironmentIsCheckedAndLoses) {
  const Variables variables{{"BENCHMARK_REPETITIONS", "4"}, {"BENCHMARK_OUT", "a"}};
  EXPECT_EQ(check({}, new_version, variables).repetitions, 4);
  EXPECT_EQ(check({}, new_version, variables).out, "a");
  EXPECT_EQ(check({"--benchmark_repetitions=2"}, new_version, variables).repetitions, 2);
  EXPECT_EQ(complaint({}, new_version, {{"BENCHMARK_FORMAT", "xml"}}),
            "--benchmark_format=xml: expected one of console, json");
  EXPECT_EQ(complaint({}, new_version, {{"V", "x"}}), "");
}

TEST(BenchmarkFlags, ADryRunIsOneRepetition) {
  const BenchmarkFlags flags = check({"--benchmark_dry_run", "--benchmark_repetitions=5"});
  EXPECT_EQ(flags.repetitions, 1);
  EXPECT_TRUE(flags.fixed_iterations);
  EXPECT_EQ(check({"--benchmark_dry_run=false", "--benchmark_repetitions=5"}).repetitions, 5);
  EXPECT_NE(complaint({"--benchmark_dry_run"}, old_version), "");
}

TEST(BenchmarkFlags, RefusesWhatGoogleBenchmarkWouldSwallow) {
  for (const char* argument : {"--benchmark_format=xyz",
                               "--benchmark_format=csv",
                               "--benchmark_format=",
                               "--benchmark_out_format=csv",
                               "--benchmark_repetitions=abc",
                               "--benchmark_repetitions=0",
                               "--benchmark_repetitions=-3",
                               "--benchmark_repetitions=99999999999",
                               "--benchmark_repetitions=",
                               "--benchmark_filter=(",
                               "--benchmark_filter=a[",
                               "--benchmark_min_time=abc",
                               "--benchmark_min_time=-1",
                               "--benchmark_min_time=1ms",
                               "--benchmark_min_time=nan",
                               "--benchmark_min_time=",
                               "--benchmark_min_time=0x",
                               "--benchmark_min_time=1.5x",
                               "--benchmark_min_warmup_time=1",
                               "--benchmark_color=",
                               "--benchmark_color=purple",
                               "--benchmark_time_unit=ms",
                               "--benchmark_time_unit=h",
                               "--benchmark_context=a",
                               "--benchmark_context=a=b=c",
                               "--benchmark_context==b",
                               "--benchmark_context=a=",
                               "--benchmark_context=",
                               "--benchmark_context=a=\n",
                               "--benchmark_context=a=\xff",
                               "--benchmark_context=\xc3=b",
                               "--benchmark_context=a=\xed\xa0\x80",
                               "--benchmark_context=a=\xc2\x85",
                               "--benchmark_out=",
                               "--benchmark_list_tests=maybe",
                               "--benchmark_enable_random_interleaving=2",
                               "--v=x"}) {
    EXPECT_TRUE(complaint({argument}).starts_with(std::string(argument) + ": "))
        << argument << " -> " << complaint({argument});
  }
}

TEST(BenchmarkFlags, RefusesWhatIsNoFlag) {
  for (const char* argument : {"x", "-h", "--filter=x", "benchmark_filter=x"}) {
    EXPECT_EQ(complaint({argument}),
              std::string(argument) + ": unknown argument; --help lists them");
  }
  EXPECT_EQ(complaint({""}), "\"\": unknown argument; --help lists them");
  EXPECT_EQ(complaint({"--benchmark_filter"}),
            "--benchmark_filter: expected --benchmark_filter=VALUE");
}

TEST(BenchmarkFlags, AFlagOfANewerVersionPasses) {
  EXPECT_TRUE(passes(check({"--benchmark_novelty=1"}), "--benchmark_novelty=1"));
}

TEST(BenchmarkFlags, KeysOfTheContext) {
  const BenchmarkFlags flags = check({"--benchmark_context=a=1,b=2", "--benchmark_context=c=3"});
  EXPECT_EQ(flags.context_keys, (Arguments{"a", "b", "c"}));
}

TEST(BenchmarkFlags, AContextMayBeLongAndInAnyScript) {
  const std::string argument =
      "--benchmark_context=gr\xc3\xb6\xc3\x9f"
      "e=\xe2\x82\xac \xf0\x9f\x98\x80?" +
      std::string(1000, 'x');
  EXPECT_TRUE(passes(check({argument}), argument));
}

TEST(NameFilter, FollowsGoogleBenchmark) {
  EXPECT_TRUE(NameFilter("").matches("a/b:1"));
  EXPECT_TRUE(NameFilter("all").matches("a/b:1"));
  EXPECT_TRUE(NameFilter("b:(1|2)$").matches("a/b:1"));
  EXPECT_FALSE(NameFilter("b:(1|2)$").matches("a/b:12"));
  EXPECT_FALSE(NameFilter("-b:1").matches("a/b:1"));
  EXPECT_TRUE(NameFilter("-b:1").matches("a/c:1"));
  EXPECT_TRUE(NameFilter("a/.*b").matches("a/x/b"));
  EXPECT_THROW(NameFilter("-("), UsageError);
}

TEST(NameFilter, RefusesWhatIsTooLong) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '(') + "a" + std::string(depth, ')');
  };
  EXPECT_TRUE(NameFilter(nested(2047)).matches("a"));
  EXPECT_TRUE(NameFilter(std::string(4094, 'a') + ".*").matches(std::string(5000, 'a')));
  EXPECT_THROW(NameFilter(nested(2048)), UsageError);
  EXPECT_EQ(complaint({"--benchmark_filter=" + nested(30000)}),
            "--benchmark_filter: longer than 4096 bytes");
}

}  // namespace
}  // namespace copybench
