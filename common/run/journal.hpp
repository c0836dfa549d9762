// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "common/run/result_tables.hpp"

namespace copybench {

/// One finished repetition, as Google Benchmark will report it in the end.
struct Row {
  std::int64_t iterations = 0;
  /// Nanoseconds for one iteration.
  double real_time = 0;
  /// CPU time of the measuring thread, in nanoseconds for one iteration.
  double cpu_time = 0;
  std::string label{};
  std::map<std::string, double> counters{};
  /// Empty for a row without error.
  std::string error{};
};

/// The finished rows of this run. Google Benchmark keeps them to itself until all repetitions of a
/// case are done, which may never happen; this record can be written down at any moment, from any
/// thread.
class Journal {
 public:
  /// `context` is the beginning of the document up to the array of rows, as JSONReporter writes it.
  /// `names` are the cases that run, in order.
  void open(std::string context, std::vector<std::string> names, int repetitions);

  /// Notes which case is being measured, until end() or the next add().
  void begin(std::size_t case_index, std::int64_t iterations);
  void end();
  /// The name of the case being measured, empty between two of them.
  [[nodiscard]] std::string current() const;
  /// Appends a row with `error` for the case being measured. Nothing between two of them.
  void fail_current(const std::string& error);

  /// Appends the next repetition of a case.
  void add(std::size_t case_index, Row row);
  [[nodiscard]] std::size_t rows_of(std::size_t case_index) const;

  /// How many rows there are.
  [[nodiscard]] std::size_t size() const;

  /// Of the rows so far.
  [[nodiscard]] ResultTables tables() const;

  /// The document of Google Benchmark with the rows so far and their tables, and with
  /// "ended_early": reason in its context unless that is empty. Nothing before open().
  [[nodiscard]] std::string document(const std::string& reason = "") const;

 private:
  struct Current {
    std::size_t case_index;
    std::int64_t iterations;
  };

  [[nodiscard]] ResultTables tables_so_far() const;

  mutable std::mutex mutex_;
  std::optional<Current> current_;
  std::string context_;
  std::vector<std::string> names_;
  std::vector<std::vector<Row>> rows_;
  int repetitions_ = 1;
};

}  // namespace copybench
