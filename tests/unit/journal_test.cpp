// SPDX-License-Identifier: Apache-2.0
#include "common/run/journal.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "common/run/json.hpp"

namespace copybench {
namespace {

const std::string context =
    "{\n  \"context\": {\n    \"date\": \"today\"\n  },\n  \"benchmarks\": [\n";

TEST(JsonString, EscapesWhatJsonWantsEscaped) {
  EXPECT_EQ(json_string("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(json_string(std::string("\n\t\x1f\0", 4)), R"("\u000a\u0009\u001f\u0000")");
  EXPECT_EQ(json_string("\xc3\xa4"), "\"\xc3\xa4\"");
}

TEST(JsonNumber, HasAllDigits) {
  EXPECT_EQ(json_number(0), "0.0000000000000000e+00");
  EXPECT_EQ(json_number(1234.5), "1.2345000000000000e+03");
  EXPECT_EQ(json_number(-0.1), "-1.0000000000000001e-01");
  EXPECT_EQ(json_number(std::numeric_limits<double>::infinity()), "null");
}

TEST(Journal, IsNothingBeforeItIsOpened) {
  EXPECT_EQ(Journal().document("why"), "");
  EXPECT_EQ(Journal().current(), "");
  EXPECT_EQ(Journal().size(), 0U);
}

TEST(Journal, WithoutRows) {
  Journal journal;
  journal.open(context, {"a"}, 1);
  EXPECT_EQ(journal.document(), context + "\n  ]\n}\n");
  EXPECT_EQ(journal.document("signal \"x\""),
            "{\n  \"context\": {\n    \"date\": \"today\",\n    \"ended_early\": \"signal "
            "\\\"x\\\"\"\n  },\n  \"benchmarks\": [\n\n  ]\n}\n");
}

// The shape of Google Benchmark's JSONReporter.
TEST(Journal, ARow) {
  Journal journal;
  journal.open(context, {"a", "b/x:1"}, 3);
  journal.add(1, {.iterations = 2,
                  .real_time = 1500,
                  .cpu_time = 2000,
                  .label = "async",
                  .counters = {{"p50_ns", 1500}}});
  EXPECT_EQ(journal.document(), context + R"(    {
      "name": "b/x:1",
      "family_index": 1,
      "per_family_instance_index": 0,
      "run_name": "b/x:1",
      "run_type": "iteration",
      "repetitions": 3,
      "repetition_index": 0,
      "threads": 1,
      "iterations": 2,
      "real_time": 1.5000000000000000e+03,
      "cpu_time": 2.0000000000000000e+03,
      "time_unit": "ns",
      "p50_ns": 1.5000000000000000e+03,
      "label": "async"
    }
  ]
}
)");
}

TEST(Journal, RowsStandCaseByCase) {
  Journal journal;
  journal.open(context, {"a", "b"}, 2);
  journal.add(1, {.iterations = 1});
  journal.add(0, {.iterations = 1});
  journal.add(1, {.iterations = 1, .error = "broken"});
  EXPECT_EQ(journal.size(), 3U);
  EXPECT_EQ(journal.rows_of(1), 2U);
  const std::string text = journal.document();
  const std::size_t a = text.find(R"("name": "a")");
  const std::size_t first = text.find(R"("repetition_index": 0)", text.find(R"("name": "b")"));
  const std::size_t second = text.find(R"("repetition_index": 1)");
  const std::size_t error = text.find(R"("error_message": "broken")");
  EXPECT_LT(a, first);
  EXPECT_LT(first, second);
  EXPECT_LT(second, error);
  EXPECT_NE(error, std::string::npos);
}

TEST(Journal, TheCaseInProgressCanFail) {
  Journal journal;
  journal.open(context, {"a", "b"}, 2);
  journal.begin(1, 7);
  EXPECT_EQ(journal.current(), "b");
  journal.fail_current("stuck");
  EXPECT_EQ(journal.rows_of(1), 1U);
  EXPECT_NE(journal.document().find("\"iterations\": 7"), std::string::npos);
  EXPECT_EQ(journal.current(), "");
  journal.fail_current("stuck");
  EXPECT_EQ(journal.size(), 1U);
}

TEST(Journal, ARowEndsTheCaseInProgress) {
  Journal journal;
  journal.open(context, {"a"}, 2);
  journal.begin(0, 1);
  journal.add(0, {.iterations = 1});
  EXPECT_EQ(journal.current(), "");
  journal.begin(0, 1);
  journal.end();
  EXPECT_EQ(journal.current(), "");
}

}  // namespace
}  // namespace copybench
