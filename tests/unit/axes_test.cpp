// SPDX-License-Identifier: Apache-2.0
#include "common/suite/axes.hpp"

#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace copybench {
namespace {

using Names = std::vector<std::string>;

const Sweep sweep{"?",
                  {{"dir", {"h2d", "d2h"}},
                   {"mem", {"pageable", "pinned"}, {"pinned"}},
                   {"bytes", {"4", "4096"}}}};

Names names(Profile profile, const AxisChoice& choice = {}) {
  Names result;
  for (const AxisValues& values : expand("family", sweep, profile, choice)) {
    result.push_back(values.name());
  }
  return result;
}

TEST(Expand, IsTheProductInTheOrderOfTheTable) {
  EXPECT_EQ(names(Profile::full),
            (Names{"family/dir:h2d/mem:pageable/bytes:4", "family/dir:h2d/mem:pageable/bytes:4096",
                   "family/dir:h2d/mem:pinned/bytes:4", "family/dir:h2d/mem:pinned/bytes:4096",
                   "family/dir:d2h/mem:pageable/bytes:4", "family/dir:d2h/mem:pageable/bytes:4096",
                   "family/dir:d2h/mem:pinned/bytes:4", "family/dir:d2h/mem:pinned/bytes:4096"}));
}

TEST(Expand, QuickTakesTheQuickValuesWhereThereAreSome) {
  EXPECT_EQ(names(Profile::quick),
            (Names{"family/dir:h2d/mem:pinned/bytes:4", "family/dir:h2d/mem:pinned/bytes:4096",
                   "family/dir:d2h/mem:pinned/bytes:4", "family/dir:d2h/mem:pinned/bytes:4096"}));
}

TEST(Expand, QuickLeavesOutASweepThatIsNotQuick) {
  Sweep full_only = sweep;
  full_only.in_quick = false;
  EXPECT_TRUE(expand("family", full_only, Profile::quick, {}).empty());
  EXPECT_EQ(expand("family", full_only, Profile::full, {}).size(), 8U);
}

TEST(Expand, AChoiceSelectsFromAClosedAxis) {
  EXPECT_EQ(names(Profile::full, {{"mem", {"pageable", "registered"}}, {"bytes", {"4"}}}),
            (Names{"family/dir:h2d/mem:pageable/bytes:4", "family/dir:d2h/mem:pageable/bytes:4"}));
  EXPECT_EQ(names(Profile::full, {{"mem", {"registered"}}}), Names{});
}

TEST(Expand, AChoiceReplacesANumericAxis) {
  EXPECT_EQ(names(Profile::full, {{"dir", {"d2h"}}, {"mem", {"pinned"}}, {"bytes", {"7", "8"}}}),
            (Names{"family/dir:d2h/mem:pinned/bytes:7", "family/dir:d2h/mem:pinned/bytes:8"}));
}

TEST(Expand, AChoiceOfAnotherFamilysAxisChangesNothing) {
  EXPECT_EQ(names(Profile::full, {{"strategy", {"x"}}}), names(Profile::full));
}

TEST(Expand, WithoutAxesThereIsOneCase) {
  const auto cases = expand("family", {"?", {}}, Profile::full, {});
  ASSERT_EQ(cases.size(), 1U);
  EXPECT_EQ(cases[0].name(), "family");
}

TEST(IsNumeric, OnlyWhenEveryValueIsANumber) {
  EXPECT_TRUE(is_numeric({"bytes", {"0", "4096"}}));
  EXPECT_FALSE(is_numeric({"mem", {"pinned"}}));
  EXPECT_FALSE(is_numeric({"mixed", {"4", "max"}}));
  EXPECT_FALSE(is_numeric({"empty", {""}}));
  EXPECT_FALSE(is_numeric({"negative", {"-4"}}));
}

TEST(AxisValues, Access) {
  const AxisValues values("family", {{"mem", "pinned"}, {"bytes", "4096"}});
  EXPECT_EQ(values.name(), "family/mem:pinned/bytes:4096");
  EXPECT_EQ(values.at("mem"), "pinned");
  EXPECT_EQ(values.number("bytes"), 4096U);
  EXPECT_THROW((void)values.at("dir"), std::out_of_range);
}

}  // namespace
}  // namespace copybench
