// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/measurement/clock.hpp"
#include "common/measurement/statistics.hpp"

namespace copybench {

/// What a measurement says beside its times, once all samples are in. Values must be finite.
struct Findings {
  /// One word for the row's label, such as a verdict. Empty: none.
  std::string label;
  /// Extra counters by name, such as {"bytes_per_second", 5.5e10}.
  std::map<std::string, double> counters;
};

/// One case, ready to be sampled. It takes a sample of several figures at once (the blocked time
/// and the completion time of the same call, say); one of them is the case's tracked figure.
///
/// The harness calls, for each batch: prepare(), then sample() many times, then verify(). Whatever
/// throws fails the case for good.
class Measurement {
 public:
  Measurement() = default;
  virtual ~Measurement() = default;
  Measurement(const Measurement&) = delete;
  Measurement& operator=(const Measurement&) = delete;
  Measurement(Measurement&&) = delete;
  Measurement& operator=(Measurement&&) = delete;

  /// Names of the figures of one sample, in the order in which sample() writes them. Each becomes
  /// the counter "<name>_p50_ns".
  [[nodiscard]] virtual std::span<const std::string_view> figures() const = 0;
  /// Which of them is the case's time.
  [[nodiscard]] virtual std::size_t tracked() const = 0;

  /// Fills sources with the pattern of `seed`, poisons destinations, drains streams. Not timed.
  virtual void prepare(std::uint64_t seed) = 0;
  /// Performs the operation once and writes figures().size() durations.
  virtual void sample(std::span<Nanoseconds> durations) = 0;
  /// Throws VerificationError unless every byte is as it must be after the samples of this batch.
  virtual void verify() = 0;

  /// Called once with the distribution of each figure.
  [[nodiscard]] virtual Findings conclude(std::span<const Summary> summaries) const = 0;

  /// Fewest samples whose median is worth tracking, whatever the budget.
  [[nodiscard]] virtual std::size_t least_samples() const { return 5; }
  /// Most samples worth taking in one batch, whatever the budget allows.
  [[nodiscard]] virtual std::size_t most_samples() const { return 1000; }
};

}  // namespace copybench
