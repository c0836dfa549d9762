// SPDX-License-Identifier: Apache-2.0
#include "common/run/remote/remote_measurement.hpp"

#include <utility>

#include "common/affinity.hpp"

namespace copybench {
namespace {

WordReader reader_of(const Words& words) { return WordReader(std::span(words).subspan(1)); }

}  // namespace

RemoteMeasurement::RemoteMeasurement(std::shared_ptr<CaseProcess> process)
    : process_(std::move(process)) {
  make();
}

void RemoteMeasurement::make() {
  const Words words = process_->ask({"make"}, {"made"});
  shape_ = reader_of(words).shape();
  figures_.assign(shape_.figures.begin(), shape_.figures.end());
}

void RemoteMeasurement::prepare(std::uint64_t seed) {
  if (try_prepare(seed)) {
    return;
  }
  process_->restart();
  make();
  if (!try_prepare(seed)) {
    throw ChildError("a fresh process of its own is used up already");
  }
}

bool RemoteMeasurement::try_prepare(std::uint64_t seed) {
  Words request{"prepare"};
  put_number(request, seed);
  // Not once and for all: the thread may have moved since the last batch.
  put_cpus(request, allowed_cpus());
  return process_->ask(request, {"prepared", "used_up"}).front() == "prepared";
}

void RemoteMeasurement::sample(std::span<Nanoseconds> durations) {
  const Words words = process_->ask({"sample"}, {"sampled"});
  reader_of(words).durations(durations);
}

void RemoteMeasurement::verify() { (void)process_->ask({"verify"}, {"verified"}); }

Findings RemoteMeasurement::conclude(std::span<const Summary> summaries) const {
  Words request{"conclude"};
  put_summaries(request, summaries);
  const Words words = process_->ask(request, {"concluded"});
  Findings findings = reader_of(words).findings();
  findings.counters[own_process_counter] = 1;
  return findings;
}

}  // namespace copybench
