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

TEST(SelectCases, LeavesOutWhatTheDeviceLacksSomethingFor) {
  Family picky = family("a", {{"?", {{"bytes", {"1000", "2000", "100000000"}}}}});
  picky.lacks = [](const AxisValues& values, const Device& device) -> std::optional<std::string> {
    return values.number("bytes") != 1000 && device.driver_version < 12080
               ? std::optional<std::string>("needs CUDA 12.8")
               : std::nullopt;
  };
  const std::vector<Family> families{picky};
  const auto select = [&](int driver_version) {
    Device device{};
    device.driver_version = driver_version;
    return select_cases(list_cases(families, Profile::full, {}), device,
                        {.host = 1000000, .device = 0});
  };
  const Selection old = select(12000);
  EXPECT_EQ(names_of(old.runnable), Names{"a/bytes:1000"});
  ASSERT_EQ(old.skipped.size(), 2U);
  EXPECT_EQ(old.skipped[0].name, "a/bytes:2000");
  EXPECT_EQ(old.skipped[0].reason, "needs CUDA 12.8");
  // What no memory would help is not blamed on memory.
  EXPECT_EQ(old.skipped[1].reason, "needs CUDA 12.8");

  const Selection recent = select(13000);
  EXPECT_EQ(names_of(recent.runnable), (Names{"a/bytes:1000", "a/bytes:2000"}));
  ASSERT_EQ(recent.skipped.size(), 1U);
  EXPECT_TRUE(recent.skipped[0].reason.starts_with("too little host memory"));
}

}  // namespace
}  // namespace copybench
