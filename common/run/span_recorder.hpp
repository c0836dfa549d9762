// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/measurement/call_spans.hpp"

namespace copybench {

/// Collects what CallSpans says of the calls of one entry of a case. Does nothing without a source,
/// or before it is started. There is one in a process.
class SpanRecorder {
 public:
  /// Throws UsageError when a source is asked for and this program has none.
  explicit SpanRecorder(std::optional<SpanSource> source);
  ~SpanRecorder();

  /// Begins to observe calls. Comes after the device has been started: a machine without one is not
  /// CUPTI's to report.
  void start();
  SpanRecorder(const SpanRecorder&) = delete;
  SpanRecorder& operator=(const SpanRecorder&) = delete;
  SpanRecorder(SpanRecorder&&) = delete;
  SpanRecorder& operator=(SpanRecorder&&) = delete;

  /// Forgets what was kept.
  void begin_entry();
  /// Forgets what was recorded since the last batch that was kept.
  void begin_batch();
  /// To be called after the batch, outside every timed region.
  void keep_batch();

  /// "cupti_samples", the number of spans, and "cupti_p50_ns", their median, where there are some.
  /// Nothing where no call was observed. Fewer spans than samples means that some were lost.
  void add_to(std::map<std::string, double>& counters) const;

 private:
  std::optional<SpanSource> source_;
  std::unique_ptr<CallSpans> spans_;
  std::size_t calls_ = 0;
  std::vector<Nanoseconds> kept_;
};

}  // namespace copybench
