// SPDX-License-Identifier: Apache-2.0
#include "common/run/verdict_table.hpp"

#include <gtest/gtest.h>

#include "common/run/journal.hpp"
#include "common/run/verdict_text.hpp"

namespace copybench {
namespace {

std::string changes_of(const VerdictGroup& group) {
  std::string text;
  for (const VerdictRange& range : group.changes) {
    text += range.verdict + " " + std::to_string(range.from_bytes) + "-" +
            std::to_string(range.to_bytes) + ";";
  }
  return text;
}

TEST(VerdictTable, SizesInOrderOfNumbersBecomeRanges) {
  const std::vector<LabelledRow> rows{{"f/mem:a/bytes:1048576", "async"},
                                      {"f/mem:a/bytes:4", "async"},
                                      {"f/mem:a/bytes:16777216", "waits_for_queue"},
                                      {"f/mem:a/bytes:2097152", "waits_for_queue"},
                                      {"f/mem:a/bytes:0", "mixed"}};
  const VerdictTable table = make_verdict_table(rows);
  ASSERT_EQ(table.size(), 1U);
  EXPECT_EQ(table[0].family, "f");
  EXPECT_EQ(changes_of(table[0]), "mixed 0-0;async 4-1048576;waits_for_queue 2097152-16777216;");
}

TEST(VerdictTable, GroupsAreAllTheOtherAxesAndTheFamily) {
  const std::vector<LabelledRow> rows{{"f/mem:b/bytes:4/queue:busy", "waits_for_queue"},
                                      {"f/mem:a/bytes:4/queue:busy", "async"},
                                      {"g/mem:b/bytes:4/queue:busy", "mixed"},
                                      {"f/mem:b/bytes:8/queue:busy", "waits_for_queue"}};
  const VerdictTable table = make_verdict_table(rows);
  ASSERT_EQ(table.size(), 3U);
  using Axes = decltype(VerdictGroup::axes);
  EXPECT_EQ(table[0].axes, (Axes{{"mem", "b"}, {"queue", "busy"}}));
  EXPECT_EQ(changes_of(table[0]), "waits_for_queue 4-8;");
  EXPECT_EQ(changes_of(table[1]), "async 4-4;");
  EXPECT_EQ(table[2].family, "g");
}

TEST(VerdictTable, TheMajorityOfTheRepetitionsDecidesAndATieIsMixed) {
  const std::vector<LabelledRow> rows{
      {"f/bytes:1", "async"},           {"f/bytes:1", "waits_for_copy"}, {"f/bytes:1", "async"},
      {"f/bytes:2", "async"},           {"f/bytes:2", "waits_for_copy"}, {"f/bytes:3", "mixed"},
      {"f/bytes:3", "waits_for_queue"}, {"f/bytes:3", "async"}};
  EXPECT_EQ(changes_of(make_verdict_table(rows).at(0)), "async 1-1;mixed 2-3;");
}

TEST(VerdictTable, WhatHasNoVerdictOrNoSizeIsLeftOut) {
  const std::vector<LabelledRow> rows{{"f/bytes:4", "wrong_data"},
                                      {"f/bytes:4", ""},
                                      {"f/elements:4", "async"},
                                      {"f/bytes:four", "async"},
                                      {"f", "async"}};
  EXPECT_TRUE(make_verdict_table(rows).empty());
}

TEST(VerdictTable, ASizeWhoseRowsAllFailedIsARangeOfItsOwn) {
  const std::vector<LabelledRow> rows{{"f/bytes:1", "async"},  {"f/bytes:2", "", true},
                                      {"f/bytes:2", "", true}, {"f/bytes:4", "async"},
                                      {"f/bytes:8", "async"},  {"f/bytes:8", "", true},
                                      {"f/bytes:16", "", true}};
  const VerdictTable table = make_verdict_table(rows);
  EXPECT_EQ(changes_of(table.at(0)), "async 1-1;failed 2-2;async 4-8;failed 16-16;");
  EXPECT_EQ(verdict_table_text(table),
            "\nVerdicts of f\nverdict by size\nasync 1 B, failed 2 B, async 4 B to 8 B, failed 16 "
            "B\n");
  // Whether such cases have verdicts at all is not known.
  const std::vector<LabelledRow> none{{"f/bytes:1", "", true}, {"f/bytes:2", "", true}};
  EXPECT_TRUE(make_verdict_table(none).empty());
}

TEST(VerdictTable, AsJson) {
  EXPECT_EQ(verdict_table_json({}), "[]");
  const std::vector<LabelledRow> rows{{"f/mem:a/bytes:4", "async"}, {"g/bytes:8", "mixed"}};
  EXPECT_EQ(verdict_table_json(make_verdict_table(rows)), R"([
      {"family": "f", "axes": {"mem": "a"}, "changes": [{"from_bytes": 4, "to_bytes": 4, "verdict": "async"}]},
      {"family": "g", "axes": {}, "changes": [{"from_bytes": 8, "to_bytes": 8, "verdict": "mixed"}]}
    ])");
}

TEST(VerdictText, WhatVariesIsAColumnAndWhatDoesNotStandsAbove) {
  const std::vector<LabelledRow> rows{
      {"f/api:x/stream:s/queue:busy/dir:h2d/mem:pinned/bytes:4", "async"},
      {"f/api:x/stream:s/queue:busy/dir:h2d/mem:pageable/bytes:65536", "async"},
      {"f/api:x/stream:t/queue:busy/dir:h2d/mem:pinned/bytes:4", "mixed"},
      {"f/api:x/stream:s/queue:idle/dir:h2d/mem:pinned/bytes:4", "waits_for_copy"},
      {"f/api:x/stream:s/queue:busy/dir:h2d/mem:pageable/bytes:1572864", "waits_for_queue"},
      {"f/api:x/stream:s/queue:busy/dir:h2d/mem:pageable/bytes:2097152", "waits_for_queue"}};
  EXPECT_EQ(verdict_table_text(make_verdict_table(rows)), R"(
Verdicts of f (dir:h2d, api:x)
mem       queue  stream  verdict by size
pinned    busy   s       async 4 B
pinned    busy   t       mixed 4 B
pinned    idle   s       waits_for_copy 4 B
pageable  busy   s       async 64 KiB, waits_for_queue 1536 KiB to 2 MiB
)");
}

TEST(VerdictText, SizesAreExact) {
  const std::vector<LabelledRow> rows{
      {"f/bytes:0", "async"},         {"f/bytes:1023", "mixed"},
      {"f/bytes:1024", "async"},      {"f/bytes:65537", "mixed"},
      {"f/bytes:800000000", "async"}, {"f/bytes:1073741824", "mixed"},
      {"f/bytes:3221225472", "mixed"}};
  EXPECT_EQ(verdict_table_text(make_verdict_table(rows)),
            "\nVerdicts of f\nverdict by size\nasync 0 B, mixed 1023 B, async 1 KiB, mixed 65537 "
            "B, async 800000000 B, mixed 1 GiB to 3 GiB\n");
}

TEST(VerdictText, OneSizeOfOneGroupIsNoTable) {
  const std::vector<LabelledRow> one{{"f/mem:a/bytes:4", "async"}, {"f/mem:a/bytes:4", "async"}};
  EXPECT_EQ(verdict_table_text(make_verdict_table(one)), "");
  EXPECT_EQ(verdict_table_text({}), "");
  const std::vector<LabelledRow> two{{"f/mem:a/bytes:4", "async"}, {"g/mem:a/bytes:4", "async"}};
  EXPECT_NE(verdict_table_text(make_verdict_table(two)), "");
}

TEST(VerdictTable, StandsInTheJournal) {
  const std::string context =
      "{\n  \"context\": {\n    \"date\": \"today\"\n  },\n  \"benchmarks\": [\n";
  Journal journal;
  journal.open(context, {"f/bytes:4", "f/bytes:8"}, 1);
  journal.add(0, {.iterations = 1, .label = "async"});
  journal.add(1, {.iterations = 1, .label = "mixed", .error = "broken"});
  EXPECT_EQ(changes_of(journal.tables().verdicts.at(0)), "async 4-4;failed 8-8;");
  const std::string begin = R"({
  "context": {
    "date": "today",
    "verdict_table": [
      {"family": "f", "axes": {}, "changes": [{"from_bytes": 4, "to_bytes": 4, "verdict": "async"}, {"from_bytes": 8, "to_bytes": 8, "verdict": "failed"}]}
    ])";
  EXPECT_TRUE(journal.document().starts_with(begin + "\n  },\n")) << journal.document();
  EXPECT_TRUE(
      journal.document("why").starts_with(begin + ",\n    \"ended_early\": \"why\"\n  },\n"))
      << journal.document("why");
}

// A whole document is handled as its beginning is.
TEST(VerdictTable, IsPutIntoAWholeDocument) {
  const std::vector<LabelledRow> rows{{"f/bytes:4", "async"}};
  const std::string whole =
      "{\n  \"context\": {\n    \"caches\": [\n    ]\n  },\n  \"benchmarks\": [\n    {\n    },\n   "
      " "
      "{\n    }\n  ]\n}\n";
  const std::string with = with_tables(whole, {.verdicts = make_verdict_table(rows)});
  EXPECT_TRUE(
      with.starts_with("{\n  \"context\": {\n    \"caches\": [\n    ],\n    \"verdict_table\""));
  EXPECT_TRUE(with.ends_with("\n  },\n  \"benchmarks\": [\n    {\n    },\n    {\n    }\n  ]\n}\n"));
  EXPECT_EQ(with_tables(whole, {}), whole);
}

}  // namespace
}  // namespace copybench
