// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/measurement/measurement.hpp"

namespace copybench {

/// How many samples make a batch: as many as fit the budget, but at least `least`, and never more
/// than `most`.
[[nodiscard]] std::size_t samples_per_batch(Nanoseconds budget, Nanoseconds cost, std::size_t least,
                                            std::size_t most);

/// What sampling calls each time it gets on, for the watchdog.
using Beat = std::function<void()>;

/// Runs a measurement once without keeping anything, checks its bytes, and returns the wall-clock
/// cost of one sample, with everything that happens around the timed call. Takes samples for at
/// most about `budget`, and at least two.
[[nodiscard]] Nanoseconds warm_up(Measurement& measurement, std::uint64_t seed, Nanoseconds budget,
                                  const Beat& beat);

/// The samples of one entry of a case, figure by figure, over any number of batches.
class Samples {
 public:
  explicit Samples(std::size_t figures) : all_(figures), batch_(figures) {}

  /// prepare(), `count` samples, verify(). Nothing is allocated between the samples. Returns the
  /// median of the tracked figure in this batch, which is forgotten unless keep_batch() follows.
  Nanoseconds take_batch(Measurement& measurement, std::uint64_t seed, std::size_t count,
                         const Beat& beat);

  void keep_batch();

  /// Of the batches that were kept.
  [[nodiscard]] std::vector<Summary> summarize() const;

 private:
  std::vector<std::vector<Nanoseconds>> all_;
  std::vector<std::vector<Nanoseconds>> batch_;
};

/// The counters of a row: "samples"; "p50_ns", "p90_ns", "p99_ns" and "max_ns" of the tracked
/// figure, of which a percentile that the samples do not support is left out; "<figure>_p50_ns" of
/// each; and those of the findings. Throws std::runtime_error for a finding that is not finite or
/// has the name of something else, which would make the JSON lie.
[[nodiscard]] std::map<std::string, double> row_counters(const Measurement& measurement,
                                                         const std::vector<Summary>& summaries,
                                                         const Findings& findings);

}  // namespace copybench
