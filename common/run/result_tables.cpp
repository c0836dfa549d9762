// SPDX-License-Identifier: Apache-2.0
#include "common/run/result_tables.hpp"

#include <string_view>
#include <utility>

#include "common/run/json.hpp"
#include "common/run/verdict_text.hpp"

namespace copybench {

std::string result_tables_text(const ResultTables& tables) {
  return verdict_table_text(tables.verdicts) + break_even_table_text(tables.break_even);
}

std::string with_context_entry(std::string document, const std::string& key,
                               const std::string& value) {
  // JSONReporter closes the context so before it opens the array of rows. Everything inside the
  // context, and every row, is indented further.
  constexpr std::string_view context_end = "\n  },\n";
  const std::size_t end = document.find(context_end);
  if (end != std::string::npos) {
    document.insert(end, ",\n    " + json_string(key) + ": " + value);
  }
  return document;
}

std::string with_tables(std::string document, const ResultTables& tables) {
  if (!tables.verdicts.empty()) {
    document = with_context_entry(std::move(document), "verdict_table",
                                  verdict_table_json(tables.verdicts));
  }
  if (!tables.break_even.empty()) {
    document = with_context_entry(std::move(document), "break_even_table",
                                  break_even_table_json(tables.break_even));
  }
  return document;
}

}  // namespace copybench
