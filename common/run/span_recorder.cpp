// SPDX-License-Identifier: Apache-2.0
#include "common/run/span_recorder.hpp"

#include "common/measurement/statistics.hpp"
#include "common/run/exit_status.hpp"

namespace copybench {

SpanRecorder::SpanRecorder(std::optional<SpanSource> source) : source_(source) {
  if (source && make_call_spans == nullptr) {
    throw UsageError(
        "--copybench_cupti: this program was built without CUPTI, see -DCOPYBENCH_CUPTI=ON");
  }
}

void SpanRecorder::start() {
  if (source_) {
    spans_ = make_call_spans(*source_);
    call_observer = spans_.get();
  }
}

SpanRecorder::~SpanRecorder() {
  if (spans_ != nullptr) {
    call_observer = nullptr;
  }
}

void SpanRecorder::begin_entry() {
  calls_ = 0;
  kept_.clear();
}

void SpanRecorder::begin_batch() {
  if (spans_ != nullptr) {
    (void)spans_->take();
  }
}

void SpanRecorder::keep_batch() {
  if (spans_ != nullptr) {
    const CallSpans::Taken taken = spans_->take();
    calls_ += taken.calls;
    kept_.insert(kept_.end(), taken.spans.begin(), taken.spans.end());
  }
}

void SpanRecorder::add_to(std::map<std::string, double>& counters) const {
  if (calls_ == 0) {
    return;
  }
  counters["cupti_samples"] = static_cast<double>(kept_.size());
  if (!kept_.empty()) {
    counters["cupti_p50_ns"] = static_cast<double>(summarize(kept_).median.count());
  }
}

}  // namespace copybench
