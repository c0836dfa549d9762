// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "common/environment/cpu_list.hpp"
#include "common/environment/text.hpp"
#include "tests/unit/fake_root.hpp"

namespace copybench {
namespace {

using Numbers = std::vector<int>;

TEST(Split, TrimsPartsAndDropsEmptyOnes) {
  EXPECT_EQ(split(" a, b,,c ,", ','), (std::vector<std::string_view>{"a", "b", "c"}));
  EXPECT_TRUE(split("", ',').empty());
  EXPECT_TRUE(split(" , ,", ',').empty());
}

TEST(FindField, FindsTheFirstLineOfThatName) {
  constexpr std::string_view text = "model\t\t: 1\nmodel name\t: AMD EPYC\nmodel name\t: other\n";
  EXPECT_EQ(find_field(text, "model name"), "AMD EPYC");
  EXPECT_EQ(find_field(text, "model"), "1");
  EXPECT_EQ(find_field(text, "name"), std::nullopt);
}

TEST(FindField, KeepsSeparatorsInTheValue) {
  EXPECT_EQ(find_field("a: b: c", "a"), "b: c");
  EXPECT_EQ(find_field("URL=\"x=y\"", "URL", '='), "\"x=y\"");
}

TEST(FindField, HostileText) {
  EXPECT_EQ(find_field("", "a"), std::nullopt);
  EXPECT_EQ(find_field("a", "a"), std::nullopt);
  EXPECT_EQ(find_field("a:", "a"), std::nullopt);
  EXPECT_EQ(find_field(std::string("\0\xFF:\n:", 5), "a"), std::nullopt);
}

TEST(ParseNumber, TakesNothingButANumber) {
  EXPECT_EQ(parse_number<int>("42"), 42);
  for (const auto* text : {"", " 42", "42 ", "4x", "0x10", "99999999999999999999"}) {
    EXPECT_EQ(parse_number<int>(text), std::nullopt) << text;
  }
}

TEST(ParseCpuList, RangesAndSingles) {
  EXPECT_EQ(parse_cpu_list("0-3,8,10-11\n"), (Numbers{0, 1, 2, 3, 8, 10, 11}));
  EXPECT_EQ(parse_cpu_list("5"), Numbers{5});
  EXPECT_EQ(parse_cpu_list("2,1-3,2"), (Numbers{1, 2, 3}));
}

TEST(ParseCpuList, HostileText) {
  for (const auto* text : {"", "\n", "-", "-1", "3-1", "1-", "a-b", "1;2", "0-99999999",
                           "0-99999999999", "65536", "\x01\xFF"}) {
    EXPECT_EQ(parse_cpu_list(text), std::nullopt) << text;
  }
}

TEST(ReadText, MissingFileAndDirectoryAreNothing) {
  const FakeRoot root;
  root.write("etc/os-release", "");
  EXPECT_EQ(read_text(root.path(), "nowhere"), std::nullopt);
  EXPECT_EQ(read_text(root.path(), "etc"), std::nullopt);
  EXPECT_EQ(read_text(root.path(), "etc/os-release"), "");
  EXPECT_EQ(read_value(root.path(), "etc/os-release"), std::nullopt);
}

TEST(ReadText, ReadsWholeFilesUpToALimit) {
  const FakeRoot root;
  const std::string text(200'000, 'x');
  root.write("proc/cpuinfo", text);
  EXPECT_EQ(read_text(root.path(), "proc/cpuinfo"), text);
  // It would never end.
  EXPECT_EQ(read_text("/", "dev/zero").value_or("").size(), std::size_t{4} << 20U);
}

TEST(ReadValue, IsTrimmed) {
  const FakeRoot root;
  root.write("governor", "performance\n");
  EXPECT_EQ(read_value(root.path(), "governor"), "performance");
}

}  // namespace
}  // namespace copybench
