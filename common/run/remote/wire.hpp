// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/measurement/measurement.hpp"
#include "common/run/remote/line.hpp"
#include "common/suite/axes.hpp"

namespace copybench {

// What a run and the process of a case say to each other: lines of words, each line a request or
// the answer to one. Both ends are the same program, so there is no version.
//
//   start ORDINAL FLAGS CPUS CASE   started                        FLAGS may be missing
//   make                            made TRACKED LEAST MOST FIGURE...
//   prepare SEED CPUS               prepared | used_up
//   sample                          sampled NANOSECONDS...
//   verify                          verified
//   conclude SUMMARY...             concluded LABEL (NAME VALUE)...
//
// To each of them the answer may be "error TEXT" as well. Between start and the next start there is
// one case; make replaces its measurement by a new one.

/// A line that means nothing.
class WireError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a measurement says of itself at the beginning.
struct Shape {
  std::vector<std::string> figures{};
  std::size_t tracked = 0;
  std::size_t least_samples = 0;
  std::size_t most_samples = 0;
};

// Each of these appends words, and its counterpart reads the words that are left of a line, or a
// part of them. Numbers come back as they were, to the last bit.

void put_number(Words& words, std::size_t number);
void put_flags(Words& words, std::optional<unsigned> flags);
void put_shape(Words& words, const Shape& shape);
void put_cpus(Words& words, std::span<const int> cpus);
void put_durations(Words& words, std::span<const Nanoseconds> durations);
void put_summaries(Words& words, std::span<const Summary> summaries);
void put_findings(Words& words, const Findings& findings);

/// Reads a line word by word. Every function throws WireError for what is not what it is to be.
class WordReader {
 public:
  /// `words` has to outlive the reader.
  explicit WordReader(std::span<const std::string> words) : left_(words) {}

  [[nodiscard]] const std::string& word();
  [[nodiscard]] std::size_t number();
  [[nodiscard]] std::optional<unsigned> flags();
  [[nodiscard]] std::vector<int> cpus();
  /// These take all that is left.
  [[nodiscard]] Shape shape();
  void durations(std::span<Nanoseconds> durations);
  [[nodiscard]] std::vector<Summary> summaries();
  [[nodiscard]] Findings findings();
  /// Nothing may be left.
  void end() const;

 private:
  template <typename Number>
  [[nodiscard]] Number parse();
  [[nodiscard]] std::optional<Nanoseconds> maybe_duration();

  std::span<const std::string> left_;
};

/// The place of a case from its name: AxisValues::name() the other way round.
[[nodiscard]] AxisValues parse_case_name(std::string_view name);

}  // namespace copybench
