// SPDX-License-Identifier: Apache-2.0
#include "common/measurement/blocked_call.hpp"

#include <algorithm>
#include <chrono>
#include <string>

#include "common/measurement/verdict.hpp"
#include "common/named_enum.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;

constexpr std::array<std::string_view, 4> figure_names{
    "blocked", "completion", "blocked_after_opening", "completion_after_opening"};

}  // namespace

std::span<const std::string_view> BlockedCall::figures() const {
  return std::span(figure_names).first(queue_ == Queue::busy ? figure_names.size() : idle_figures);
}

// Several times what staging takes.
Nanoseconds BlockedCall::hold_for(std::size_t bytes) {
  constexpr std::size_t bytes_per_nanosecond = 4;
  return std::max<Nanoseconds>(2ms, Nanoseconds(bytes / bytes_per_nanosecond));
}

void BlockedCall::finish_idle(std::span<Nanoseconds> durations, TimePoint begin,
                              TimePoint returned) {
  stream_.sync();
  const TimePoint usable = now();
  durations[Figure::blocked] = returned - begin;
  durations[Figure::completion] = usable - begin;
}

void BlockedCall::finish_busy(std::span<Nanoseconds> durations, TimePoint begin,
                              TimePoint returned) {
  const TimePoint opened = gate_.open();
  stream_.sync();
  const TimePoint usable = now();
  gate_.require_opened_by_host();
  returned_after_opening_ += opened < returned ? 1U : 0U;
  durations[Figure::blocked] = returned - begin;
  durations[Figure::completion] = usable - begin;
  durations[Figure::blocked_after_opening] = std::max(Nanoseconds{0}, returned - opened);
  durations[Figure::completion_after_opening] = usable - opened;
}

// The gate stays closed until the copy is complete or the countdown ends: which of the two came
// first is the question.
void BlockedCall::finish_busy_elsewhere(std::span<Nanoseconds> durations, TimePoint begin,
                                        TimePoint returned) {
  stream_.sync();
  const TimePoint usable = now();
  const TimePoint opened = gate_.open();
  elsewhere_.sync();
  gate_.require_opened_by_host();
  returned_after_opening_ += opened < returned ? 1U : 0U;
  completed_before_opening_ += usable < opened ? 1U : 0U;
  durations[Figure::blocked] = returned - begin;
  durations[Figure::completion] = usable - begin;
}

Nanoseconds BlockedCall::copied_in(std::span<const Summary> summaries) const {
  return summaries[queue_ == Queue::busy ? Figure::completion_after_opening : Figure::completion]
      .median;
}

Findings BlockedCall::conclude(std::span<const Summary> summaries) const {
  const Verdict verdict = queue_ == Queue::idle ? judge_idle(summaries[Figure::blocked].median,
                                                             summaries[Figure::completion].median)
                                                : judge_busy(returned_after_opening_, samples_);
  Findings findings{std::string(name_of(verdict, verdict_names)), {}};
  const auto fraction = [&](std::size_t count) {
    return static_cast<double>(count) / static_cast<double>(samples_);
  };
  if (queue_ != Queue::idle) {
    findings.counters["most_hold_ns"] = static_cast<double>(hold_.count());
    findings.counters["waited_for_queue_fraction"] = fraction(returned_after_opening_);
  }
  if (queue_ == Queue::busy_elsewhere) {
    findings.counters["completed_before_opening_fraction"] = fraction(completed_before_opening_);
  }
  return findings;
}

}  // namespace copybench
