// SPDX-License-Identifier: Apache-2.0
#include "common/run/batch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>

namespace copybench {
namespace {

// Fields of a row of Google Benchmark, which a counter would overwrite.
constexpr std::array<std::string_view, 26> field_names{"name",
                                                       "family_index",
                                                       "per_family_instance_index",
                                                       "run_name",
                                                       "run_type",
                                                       "repetitions",
                                                       "repetition_index",
                                                       "threads",
                                                       "aggregate_name",
                                                       "aggregate_unit",
                                                       "error_occurred",
                                                       "error_message",
                                                       "skipped",
                                                       "skip_message",
                                                       "iterations",
                                                       "real_time",
                                                       "cpu_time",
                                                       "time_unit",
                                                       "cpu_coefficient",
                                                       "real_coefficient",
                                                       "big_o",
                                                       "rms",
                                                       "allocs_per_iter",
                                                       "max_bytes_used",
                                                       "total_allocated_bytes",
                                                       "label"};

double in_nanoseconds(Nanoseconds time) { return static_cast<double>(time.count()); }

}  // namespace

std::size_t samples_per_batch(Nanoseconds budget, Nanoseconds cost, std::size_t least,
                              std::size_t most) {
  const auto affordable = static_cast<std::size_t>(budget / std::max(cost, Nanoseconds(1)));
  return std::min(std::max(affordable, least), most);
}

Nanoseconds warm_up(Measurement& measurement, std::uint64_t seed, Nanoseconds budget,
                    const Beat& beat) {
  constexpr std::size_t enough = 5;
  std::vector<Nanoseconds> durations(measurement.figures().size());
  measurement.prepare(seed);
  beat();
  // The first one is slower than those that count.
  measurement.sample(durations);
  beat();
  const TimePoint begin = now();
  TimePoint end = begin;
  std::size_t taken = 0;
  do {
    measurement.sample(durations);
    beat();
    ++taken;
    end = now();
  } while (taken < enough && end - begin < budget);
  measurement.verify();
  beat();
  return (end - begin) / taken;
}

Nanoseconds Samples::take_batch(Measurement& measurement, std::uint64_t seed, std::size_t count,
                                const Beat& beat) {
  std::vector<Nanoseconds> durations(batch_.size());
  for (std::vector<Nanoseconds>& figure : batch_) {
    figure.assign(count, Nanoseconds{0});
  }
  measurement.prepare(seed);
  beat();
  for (std::size_t i = 0; i < count; ++i) {
    measurement.sample(durations);
    for (std::size_t figure = 0; figure < batch_.size(); ++figure) {
      batch_[figure][i] = durations[figure];
    }
    beat();
  }
  measurement.verify();
  beat();
  return copybench::summarize(batch_.at(measurement.tracked())).median;
}

void Samples::keep_batch() {
  for (std::size_t figure = 0; figure < batch_.size(); ++figure) {
    all_[figure].insert(all_[figure].end(), batch_[figure].begin(), batch_[figure].end());
  }
}

std::vector<Summary> Samples::summarize() const {
  std::vector<Summary> summaries;
  summaries.reserve(all_.size());
  for (const std::vector<Nanoseconds>& figure : all_) {
    summaries.push_back(copybench::summarize(figure));
  }
  return summaries;
}

std::map<std::string, double> row_counters(const Measurement& measurement,
                                           const std::vector<Summary>& summaries,
                                           const Findings& findings) {
  const Summary& tracked = summaries.at(measurement.tracked());
  std::map<std::string, double> counters{{"samples", static_cast<double>(tracked.samples)},
                                         {"p50_ns", in_nanoseconds(tracked.median)},
                                         {"max_ns", in_nanoseconds(tracked.max)}};
  if (tracked.p90) {
    counters["p90_ns"] = in_nanoseconds(*tracked.p90);
  }
  if (tracked.p99) {
    counters["p99_ns"] = in_nanoseconds(*tracked.p99);
  }
  for (std::size_t figure = 0; figure < summaries.size(); ++figure) {
    counters[std::string(measurement.figures()[figure]) + "_p50_ns"] =
        in_nanoseconds(summaries[figure].median);
  }
  for (const auto& [name, value] : findings.counters) {
    if (!std::isfinite(value)) {
      throw std::runtime_error("counter " + name + " is not a finite number");
    }
    if (std::ranges::find(field_names, name) != field_names.end() ||
        !counters.try_emplace(name, value).second) {
      throw std::runtime_error("counter " + name + " has the name of something else");
    }
  }
  return counters;
}

}  // namespace copybench
