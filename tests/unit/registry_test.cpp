// SPDX-License-Identifier: Apache-2.0
#include "common/suite/registry.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace copybench {
namespace {

using Names = std::vector<std::string>;

Family family(const std::string& name, std::vector<Sweep> sweeps) {
  return {name, std::move(sweeps), {}, [](const AxisValues& values) -> MemoryNeeds {
            return {{MemoryKind::pinned, values.number("bytes")}};
          }};
}

Names names_of(const std::vector<SuiteCase>& cases) {
  Names names;
  for (const SuiteCase& one : cases) {
    names.push_back(one.name);
  }
  return names;
}

TEST(ListCases, IsInTheOrderOfTheTables) {
  const std::vector<Family> families{family("b", {{"?", {{"bytes", {"8", "4"}}}}}),
                                     family("a", {{"?", {{"bytes", {"4"}}}}})};
  EXPECT_EQ(names_of(list_cases(families, Profile::full, {})),
            (Names{"b/bytes:8", "b/bytes:4", "a/bytes:4"}));
}

TEST(ListCases, ListsACaseOfTwoSweepsOnce) {
  const std::vector<Family> families{
      family("a", {{"?", {{"bytes", {"4", "8"}}}}, {"?", {{"bytes", {"8", "16"}}}}})};
  EXPECT_EQ(names_of(list_cases(families, Profile::full, {})),
            (Names{"a/bytes:4", "a/bytes:8", "a/bytes:16"}));
  EXPECT_EQ(names_of(list_cases(families, Profile::full, {{"bytes", {"5"}}})), Names{"a/bytes:5"});
}

TEST(ListCases, TwoFamiliesWithOneNameAreAFault) {
  const std::vector<Family> families{family("a", {{"?", {{"bytes", {"4"}}}}}),
                                     family("a", {{"?", {{"bytes", {"4"}}}}})};
  EXPECT_THROW((void)list_cases(families, Profile::full, {}), std::logic_error);
}

TEST(SelectCases, LeavesOutWhatDoesNotFit) {
  const std::vector<Family> families{
      family("a", {{"?", {{"bytes", {"1000", "100000000", "2000"}}}}})};
  const Selection selection =
      select_cases(list_cases(families, Profile::full, {}), {}, {.host = 1000000, .device = 0});
  EXPECT_EQ(names_of(selection.runnable), (Names{"a/bytes:1000", "a/bytes:2000"}));
  ASSERT_EQ(selection.skipped.size(), 1U);
  EXPECT_EQ(selection.skipped[0].name, "a/bytes:100000000");
  EXPECT_TRUE(selection.skipped[0].reason.starts_with("too little host memory"));
}

}  // namespace
}  // namespace copybench
