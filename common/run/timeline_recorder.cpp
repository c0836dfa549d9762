// SPDX-License-Identifier: Apache-2.0
#include "common/run/timeline_recorder.hpp"

#include <unistd.h>
#include <utility>

#include "common/run/exit_status.hpp"

namespace copybench {

class TimelineRecorder::Watched final : public Measurement {
 public:
  Watched(std::unique_ptr<Measurement> measurement, TimelineRecorder& recorder)
      : measurement_(std::move(measurement)), recorder_(recorder) {}

  std::span<const std::string_view> figures() const override { return measurement_->figures(); }
  std::size_t tracked() const override { return measurement_->tracked(); }
  std::size_t least_samples() const override { return measurement_->least_samples(); }
  std::size_t most_samples() const override { return measurement_->most_samples(); }

  void prepare(std::uint64_t seed) override {
    measurement_->prepare(seed);
    recorder_.forget();
  }
  void sample(std::span<Nanoseconds> durations) override {
    recorder_.begin_sample();
    measurement_->sample(durations);
    recorder_.end_sample();
  }
  void verify() override { measurement_->verify(); }
  Findings conclude(std::span<const Summary> summaries) const override {
    return measurement_->conclude(summaries);
  }

 private:
  std::unique_ptr<Measurement> measurement_;
  TimelineRecorder& recorder_;
};

TimelineRecorder::TimelineRecorder(bool is_on) : is_on_(is_on) {
  if (is_on && make_activity_recorder == nullptr) {
    throw UsageError(
        "--copybench_timeline: this program was built without CUPTI, see -DCOPYBENCH_CUPTI=ON");
  }
}

TimelineRecorder::~TimelineRecorder() {
  if (recorder_ != nullptr) {
    part_observer = nullptr;
  }
}

void TimelineRecorder::start() {
  if (is_on_) {
    recorder_ = make_activity_recorder();
    part_observer = this;
  }
}

std::unique_ptr<Measurement> TimelineRecorder::watch(std::unique_ptr<Measurement> measurement) {
  if (recorder_ == nullptr) {
    return measurement;
  }
  return std::make_unique<Watched>(std::move(measurement), *this);
}

std::optional<Timeline> TimelineRecorder::take(std::string name, bool simulated) {
  if (recorder_ == nullptr || !last_) {
    return std::nullopt;
  }
  RecordedSample sample = *last_;
  last_.reset();
  sample.activities = recorder_->take();
  return make_timeline(std::move(name), simulated, sample);
}

void TimelineRecorder::begin_part() noexcept { part_begin_ = recorder_->time(); }
void TimelineRecorder::end_part() noexcept { part_end_ = recorder_->time(); }

void TimelineRecorder::forget() {
  (void)recorder_->take();
  last_.reset();
}

void TimelineRecorder::begin_sample() {
  part_begin_.reset();
  part_end_.reset();
  begin_ = recorder_->time();
}

void TimelineRecorder::end_sample() {
  const Nanoseconds end = recorder_->time();
  last_ = {.activities = {},
           .begin = part_begin_.value_or(begin_),
           .end = part_end_.value_or(end),
           .calling_thread = static_cast<std::uint64_t>(gettid())};
}

}  // namespace copybench
