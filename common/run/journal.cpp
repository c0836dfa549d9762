// SPDX-License-Identifier: Apache-2.0
#include "common/run/journal.hpp"

#include <string_view>
#include <utility>

#include "common/measurement/break_even.hpp"
#include "common/run/json.hpp"

namespace copybench {
namespace {

void append(std::string& out, std::string_view key, const std::string& value) {
  out += out.ends_with('{') ? "\n" : ",\n";
  out += "      " + json_string(key) + ": " + value;
}

// The fields of JSONReporter::PrintRunData, in its order.
std::string row_text(const Row& row, const std::string& name, std::size_t family_index,
                     std::size_t repetition, int repetitions) {
  std::string out = "    {";
  append(out, "name", json_string(name));
  append(out, "family_index", std::to_string(family_index));
  append(out, "per_family_instance_index", "0");
  append(out, "run_name", json_string(name));
  append(out, "run_type", json_string("iteration"));
  append(out, "repetitions", std::to_string(repetitions));
  append(out, "repetition_index", std::to_string(repetition));
  append(out, "threads", "1");
  if (!row.error.empty()) {
    append(out, "error_occurred", "true");
    append(out, "error_message", json_string(row.error));
  }
  append(out, "iterations", std::to_string(row.iterations));
  append(out, "real_time", json_number(row.real_time));
  append(out, "cpu_time", json_number(row.cpu_time));
  append(out, "time_unit", json_string("ns"));
  for (const auto& [key, value] : row.counters) {
    append(out, key, json_number(value));
  }
  if (!row.label.empty()) {
    append(out, "label", json_string(row.label));
  }
  return out + "\n    }";
}

}  // namespace

void Journal::open(std::string context, std::vector<std::string> names, int repetitions) {
  const std::scoped_lock lock(mutex_);
  context_ = std::move(context);
  names_ = std::move(names);
  rows_.assign(names_.size(), {});
  repetitions_ = repetitions;
}

void Journal::begin(std::size_t case_index, std::int64_t iterations) {
  const std::scoped_lock lock(mutex_);
  current_ = {case_index, iterations};
}

void Journal::end() {
  const std::scoped_lock lock(mutex_);
  current_.reset();
}

std::string Journal::current() const {
  const std::scoped_lock lock(mutex_);
  return current_ ? names_.at(current_->case_index) : "";
}

void Journal::fail_current(const std::string& error) {
  const std::scoped_lock lock(mutex_);
  if (current_) {
    rows_.at(current_->case_index).push_back({.iterations = current_->iterations, .error = error});
    current_.reset();
  }
}

void Journal::add(std::size_t case_index, Row row) {
  const std::scoped_lock lock(mutex_);
  current_.reset();
  rows_.at(case_index).push_back(std::move(row));
}

std::size_t Journal::rows_of(std::size_t case_index) const {
  const std::scoped_lock lock(mutex_);
  return rows_.at(case_index).size();
}

std::size_t Journal::size() const {
  const std::scoped_lock lock(mutex_);
  std::size_t size = 0;
  for (const std::vector<Row>& rows : rows_) {
    size += rows.size();
  }
  return size;
}

ResultTables Journal::tables() const {
  const std::scoped_lock lock(mutex_);
  return tables_so_far();
}

ResultTables Journal::tables_so_far() const {
  std::vector<LabelledRow> labelled;
  std::vector<CountedRow> counted;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    for (const Row& row : rows_[i]) {
      const bool failed = !row.error.empty();
      const auto counter = row.counters.find(break_even_counter);
      labelled.push_back({names_[i], row.label, failed});
      counted.push_back(
          {names_[i], counter == row.counters.end() ? std::nullopt : std::optional(counter->second),
           failed});
    }
  }
  return {make_verdict_table(labelled), make_break_even_table(counted)};
}

std::string Journal::document(const std::string& reason) const {
  const std::scoped_lock lock(mutex_);
  if (context_.empty()) {
    return {};
  }
  std::string text = with_tables(context_, tables_so_far());
  if (!reason.empty()) {
    text = with_context_entry(std::move(text), "ended_early", json_string(reason));
  }
  bool is_first = true;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    for (std::size_t repetition = 0; repetition < rows_[i].size(); ++repetition) {
      text += std::exchange(is_first, false) ? "" : ",\n";
      text += row_text(rows_[i][repetition], names_[i], i, repetition, repetitions_);
    }
  }
  return text + "\n  ]\n}\n";
}

}  // namespace copybench
