// SPDX-License-Identifier: Apache-2.0
#include "common/run/axis_choice.hpp"

#include <gtest/gtest.h>

#include "common/run/exit_status.hpp"

namespace copybench {
namespace {

using Texts = std::vector<std::string>;

std::vector<Family> families() {
  return {{"one", {{"?", {{"mem", {"pageable", "pinned"}}, {"bytes", {"4", "4096"}}}}}, {}, {}},
          {"two", {{"?", {{"mem", {"managed"}}, {"elements", {"0", "16"}}}}}, {}, {}}};
}

AxisChoice choice(const Texts& texts) { return parse_axis_choice(texts, families()); }

std::string complaint(const std::string& text) {
  try {
    (void)choice({text});
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(ParseSize, NumbersAndUnits) {
  EXPECT_EQ(parse_size("0"), 0U);
  EXPECT_EQ(parse_size("4096"), 4096U);
  EXPECT_EQ(parse_size("4KiB"), 4096U);
  EXPECT_EQ(parse_size("3MiB"), 3145728U);
  EXPECT_EQ(parse_size("4GiB"), 4294967296U);
  for (const char* text : {"", "KiB", "-1", "+1", "1.5MiB", "1MB", "1 MiB", "1kib", "x", "1KiBKiB",
                           "18446744073709551616", "18014398509481984KiB"}) {
    EXPECT_EQ(parse_size(text), std::nullopt) << text;
  }
}

TEST(AxisChoice, ValuesOfAllFamiliesAreKnown) {
  EXPECT_EQ(choice({"mem:pinned,managed"}), (AxisChoice{{"mem", {"pinned", "managed"}}}));
}

TEST(AxisChoice, NumbersAreFreeAndNormalised) {
  EXPECT_EQ(choice({"bytes:7,4KiB,4096,007"}), (AxisChoice{{"bytes", {"7", "4096"}}}));
  EXPECT_EQ(choice({"bytes:4GiB"}), (AxisChoice{{"bytes", {"4294967296"}}}));
}

TEST(AxisChoice, RepeatedAxesAddUp) {
  EXPECT_EQ(choice({"mem:pinned", "elements:5", "mem:pageable", "mem:pinned"}),
            (AxisChoice{{"elements", {"5"}}, {"mem", {"pinned", "pageable"}}}));
}

TEST(AxisChoice, ZeroOnlyWhereTheTablesHaveIt) {
  EXPECT_EQ(choice({"elements:0"}), (AxisChoice{{"elements", {"0"}}}));
  EXPECT_EQ(complaint("bytes:0"),
            "--copybench_axis=bytes:0: expected a number from 1 to 4GiB, such as 4096 or 1MiB");
}

TEST(AxisChoice, RefusesAndListsWhatThereIs) {
  EXPECT_EQ(complaint("size:4"),
            "--copybench_axis=size:4: unknown axis \"size\"; there are mem, bytes, elements");
  EXPECT_EQ(complaint("mem:pinnned"),
            "--copybench_axis=mem:pinnned: unknown value; there are pageable, pinned, managed");
  for (const char* text : {"", ":", "mem", "mem:", "mem:,", "bytes:4,,8", "bytes:4,", "bytes:,4",
                           "mem:pinned, ,managed", "bytes:4294967297", "bytes:-4", "bytes:pinned",
                           "bytes:99999999999999999999"}) {
    EXPECT_NE(complaint(text), "") << text;
  }
}

}  // namespace
}  // namespace copybench
