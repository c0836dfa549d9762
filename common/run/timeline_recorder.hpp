// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "common/measurement/drawn_part.hpp"
#include "common/measurement/measurement.hpp"
#include "common/timeline/timeline.hpp"

namespace copybench {

/// Records what happens in the samples of a case, and keeps the last sample of the last batch: the
/// others before it were its warm-up. Does nothing unless it is on, or before it is started. There
/// is one in a process.
class TimelineRecorder final : private PartObserver {
 public:
  /// Throws UsageError when it is asked for and this program has no source of activities.
  explicit TimelineRecorder(bool is_on);
  ~TimelineRecorder() override;
  TimelineRecorder(const TimelineRecorder&) = delete;
  TimelineRecorder& operator=(const TimelineRecorder&) = delete;
  TimelineRecorder(TimelineRecorder&&) = delete;
  TimelineRecorder& operator=(TimelineRecorder&&) = delete;

  /// Begins to record. Comes after the device has been started: a machine without one is not
  /// CUPTI's to report. May throw std::runtime_error.
  void start();

  /// The same measurement, its samples observed. To be put into nothing that checks bytes within a
  /// sample.
  [[nodiscard]] std::unique_ptr<Measurement> watch(std::unique_ptr<Measurement> measurement);

  /// The last sample; nothing when none was taken to its end. May throw std::runtime_error.
  [[nodiscard]] std::optional<Timeline> take(std::string name, bool simulated);

 private:
  class Watched;

  void begin_part() noexcept override;
  void end_part() noexcept override;
  void forget();
  void begin_sample();
  void end_sample();

  bool is_on_;
  std::unique_ptr<ActivityRecorder> recorder_;
  // Of the sample in progress; the part, where the case says which, is what is drawn.
  Nanoseconds begin_{};
  std::optional<Nanoseconds> part_begin_;
  std::optional<Nanoseconds> part_end_;
  // Of the last one.
  std::optional<RecordedSample> last_;
};

}  // namespace copybench
