// SPDX-License-Identifier: Apache-2.0
#include "common/environment/fact.hpp"

#include <string>

#include <gtest/gtest.h>

namespace copybench {
namespace {

using namespace std::string_literals;

TEST(CleanValue, LeavesOrdinaryTextAlone) {
  EXPECT_EQ(clean_value("NVIDIA H200"), "NVIDIA H200");
  EXPECT_EQ(clean_value("a \"quoted\" \\ path"), "a \"quoted\" \\ path");
}

TEST(CleanValue, EmptyIsUnknown) {
  EXPECT_EQ(clean_value(""), "unknown");
  EXPECT_EQ(clean_value(" \t\r\n"), "unknown");
  EXPECT_EQ(clean_value("\0\0"s), "unknown");
}

TEST(CleanValue, ControlCharactersBecomeBlanks) {
  EXPECT_EQ(clean_value("one\ntwo\x1b[0m\x7f\x01"), "one two [0m");
  EXPECT_EQ(clean_value("a\0b"s), "a b");
  EXPECT_EQ(clean_value("a\xC2\x85z"), "a z");
}

TEST(CleanValue, KeepsUtf8) {
  EXPECT_EQ(clean_value("\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80"),
            "\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80");
}

TEST(CleanValue, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(clean_value("\xFF\xFE"), "??");
  EXPECT_EQ(clean_value("a\xC3"), "a?");               // cut short
  EXPECT_EQ(clean_value("\xC0\xAF"), "??");            // overlong
  EXPECT_EQ(clean_value("\xE0\x80\xAF"), "???");       // overlong
  EXPECT_EQ(clean_value("\xED\xA0\x80"), "???");       // surrogate
  EXPECT_EQ(clean_value("\xF4\x90\x80\x80"), "????");  // above U+10FFFF
}

TEST(CleanValue, CutsWhatIsTooLong) {
  EXPECT_EQ(clean_value(std::string(400, 'x')), std::string(400, 'x'));
  EXPECT_EQ(clean_value(std::string(401, 'x')), std::string(397, 'x') + "...");
}

TEST(CleanValue, NeverCutsACharacterInHalf) {
  std::string euros;
  for (int i = 0; i < 200; ++i) {
    euros += "\xE2\x82\xAC";
  }
  // 397 is not a multiple of three.
  EXPECT_EQ(clean_value(euros), euros.substr(0, 396) + "...");
}

TEST(AddFact, NoValueIsUnknown) {
  Facts facts;
  add_fact(facts, "gpu_name", std::nullopt);
  add_fact(facts, "os", " Debian\n");
  ASSERT_EQ(facts.size(), 2U);
  EXPECT_EQ(facts[0].key, "gpu_name");
  EXPECT_EQ(facts[0].value, "unknown");
  EXPECT_EQ(facts[1].value, "Debian");
}

}  // namespace
}  // namespace copybench
