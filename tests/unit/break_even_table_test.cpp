// SPDX-License-Identifier: Apache-2.0
#include "common/run/break_even_table.hpp"

#include <gtest/gtest.h>

#include "common/run/journal.hpp"

namespace copybench {
namespace {

std::string sizes_of(const BreakEvenGroup& group) {
  std::string text;
  for (const BreakEvenSize& size : group.sizes) {
    text += std::to_string(size.bytes) + ":" +
            (size.copies ? std::to_string(*size.copies) : "failed") + ";";
  }
  return text;
}

TEST(BreakEvenTable, HasTheSizesOfAGroupInOrderOfNumbers) {
  const std::vector<CountedRow> rows{{"f/way:a/bytes:1048576", 3},
                                     {"f/way:a/bytes:4", 700},
                                     {"f/way:b/bytes:4", 0},
                                     {"f/way:a/bytes:65536", 20}};
  const BreakEvenTable table = make_break_even_table(rows);
  ASSERT_EQ(table.size(), 2U);
  EXPECT_EQ(table[0].family, "f");
  EXPECT_EQ(table[0].axes, (decltype(RowGroup::axes){{"way", "a"}}));
  EXPECT_EQ(sizes_of(table[0]), "4:700;65536:20;1048576:3;");
  EXPECT_EQ(sizes_of(table[1]), "4:0;");
}

// Of 2, 3, 9 the second says so by 3; of 2, 3, 9, 9 the third by 9; 0 is never, and so the last.
TEST(BreakEvenTable, HasWhatMoreThanHalfOfTheRepetitionsSay) {
  const std::vector<CountedRow> rows{
      {"f/bytes:1", 9}, {"f/bytes:1", 2}, {"f/bytes:1", 3}, {"f/bytes:2", 9}, {"f/bytes:2", 2},
      {"f/bytes:2", 3}, {"f/bytes:2", 9}, {"f/bytes:3", 0}, {"f/bytes:3", 5}, {"f/bytes:3", 6},
      {"f/bytes:4", 0}, {"f/bytes:4", 5}, {"f/bytes:4", 0}, {"f/bytes:5", 0}, {"f/bytes:5", 5}};
  EXPECT_EQ(sizes_of(make_break_even_table(rows).at(0)), "1:3;2:9;3:6;4:0;5:0;");
}

TEST(BreakEvenTable, IsMadeOfRowsThatHaveTheCounterAndASize) {
  const std::vector<CountedRow> rows{{"f/bytes:4", std::nullopt}, {"f/elements:4", 3}, {"f", 3}};
  EXPECT_TRUE(make_break_even_table(rows).empty());
}

TEST(BreakEvenTable, ASizeWhoseRowsAllFailedIsNotPassedOver) {
  const std::vector<CountedRow> rows{{"f/bytes:1", 4},
                                     {"f/bytes:2", std::nullopt, true},
                                     {"f/bytes:4", std::nullopt, true},
                                     {"f/bytes:4", 2},
                                     {"g/bytes:1", std::nullopt, true}};
  const BreakEvenTable table = make_break_even_table(rows);
  ASSERT_EQ(table.size(), 1U);
  EXPECT_EQ(sizes_of(table[0]), "1:4;2:failed;4:2;");
}

TEST(BreakEvenTable, AsJson) {
  EXPECT_EQ(break_even_table_json({}), "[]");
  const std::vector<CountedRow> rows{{"f/way:a/bytes:4", 12},
                                     {"f/way:a/bytes:8", 0},
                                     {"f/way:a/bytes:16", std::nullopt, true},
                                     {"g/bytes:8", 1}};
  EXPECT_EQ(break_even_table_json(make_break_even_table(rows)), R"([
      {"family": "f", "axes": {"way": "a"}, "sizes": [{"bytes": 4, "copies": 12}, {"bytes": 8, "copies": "never"}, {"bytes": 16, "copies": "failed"}]},
      {"family": "g", "axes": {}, "sizes": [{"bytes": 8, "copies": 1}]}
    ])");
}

TEST(BreakEvenTable, AsTextHasAColumnForEachSize) {
  const std::vector<CountedRow> rows{{"f/dir:h2d/way:register/bytes:65536", 41},
                                     {"f/dir:h2d/way:register/bytes:1048576", 7},
                                     {"f/dir:d2h/way:register/bytes:1048576", std::nullopt, true},
                                     {"f/dir:d2h/way:register/bytes:65536", 0},
                                     {"f/dir:h2d/way:host_alloc/bytes:65536", 0},
                                     {"g/kind:x/bytes:800000000", 1}};
  EXPECT_EQ(break_even_table_text(make_break_even_table(rows)), R"(
Copies from which on it pays, f
dir  way         64 KiB  1 MiB
h2d  register    41      7
h2d  host_alloc  never   -
d2h  register    never   failed

Copies from which on it pays, g (kind:x)
800000000 B
1
)");
}

TEST(BreakEvenTable, OneSizeOfOneGroupNeedsNoText) {
  EXPECT_EQ(break_even_table_text({}), "");
  const std::vector<CountedRow> one{{"f/way:a/bytes:4", 3}, {"f/way:a/bytes:4", 3}};
  EXPECT_EQ(break_even_table_text(make_break_even_table(one)), "");
  const std::vector<CountedRow> two{{"f/way:a/bytes:4", 3}, {"f/way:b/bytes:4", 3}};
  EXPECT_NE(break_even_table_text(make_break_even_table(two)), "");
}

TEST(BreakEvenTable, StandsInTheJournalBehindTheVerdicts) {
  const std::string context =
      "{\n  \"context\": {\n    \"date\": \"today\"\n  },\n  \"benchmarks\": [\n";
  Journal journal;
  journal.open(context, {"f/bytes:4", "f/bytes:8", "g/bytes:4"}, 1);
  journal.add(0, {.iterations = 1, .counters = {{"break_even_copies", 3.0}}});
  journal.add(1, {.iterations = 1, .error = "broken"});
  journal.add(2, {.iterations = 1, .label = "async"});
  const std::string document = journal.document();
  EXPECT_TRUE(document.starts_with(R"({
  "context": {
    "date": "today",
    "verdict_table": [
      {"family": "g", "axes": {}, "changes": [{"from_bytes": 4, "to_bytes": 4, "verdict": "async"}]}
    ],
    "break_even_table": [
      {"family": "f", "axes": {}, "sizes": [{"bytes": 4, "copies": 3}, {"bytes": 8, "copies": "failed"}]}
    ]
  },
)")) << document;
}

}  // namespace
}  // namespace copybench
