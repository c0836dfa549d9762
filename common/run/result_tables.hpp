// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "common/run/break_even_table.hpp"
#include "common/run/verdict_table.hpp"

namespace copybench {

/// What the rows of a run say together: printed behind them, and entries of the JSON's context.
struct ResultTables {
  VerdictTable verdicts{};
  BreakEvenTable break_even{};
};

/// For people. Empty when there is nothing to compare.
[[nodiscard]] std::string result_tables_text(const ResultTables& tables);

/// Google Benchmark's JSON, whole or its beginning, with one more entry at the end of its context:
/// `value` is JSON itself.
[[nodiscard]] std::string with_context_entry(std::string document, const std::string& key,
                                             const std::string& value);

/// with_context_entry() for "verdict_table" and "break_even_table", each unless it is empty.
[[nodiscard]] std::string with_tables(std::string document, const ResultTables& tables);

}  // namespace copybench
