// SPDX-License-Identifier: Apache-2.0
// CUPTI's records of the runtime's functions. Each observed call gets a number, which CUPTI ties to
// the functions that are called meanwhile by a record of its own, so nothing depends on the order
// of the records or on comparing two clocks.
#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "common/cupti/activity_buffers.hpp"
#include "common/cupti/cupti_check.hpp"
#include "common/cupti/span_sources.hpp"

namespace copybench {
namespace {

constexpr auto external_kind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;

// What has come back from CUPTI, on whichever thread of its own it likes.
class Records {
 public:
  void add(const CUpti_Activity& record) {
    const std::scoped_lock lock(mutex_);
    if (record.kind == CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION) {
      const auto& link = reinterpret_cast<const CUpti_ActivityExternalCorrelation&>(record);
      if (link.externalKind == external_kind) {
        call_of_[link.correlationId] = link.externalId;
      }
    } else if (record.kind == CUPTI_ACTIVITY_KIND_RUNTIME) {
      const auto& function = reinterpret_cast<const CUpti_ActivityAPI&>(record);
      // CUPTI's sign for times that it could not take.
      if (function.start != 0 && function.end >= function.start) {
        span_of_[function.correlationId] = {function.start, function.end};
      }
    }
  }

  // By observed call.
  [[nodiscard]] std::vector<Nanoseconds> take() {
    const std::scoped_lock lock(mutex_);
    std::map<std::uint64_t, Span> calls;
    for (const auto& [correlation, call] : call_of_) {
      if (const auto span = span_of_.find(correlation); span != span_of_.end()) {
        const auto [place, is_new] = calls.try_emplace(call, span->second);
        place->second.begin = std::min(place->second.begin, span->second.begin);
        place->second.end = std::max(place->second.end, span->second.end);
      }
    }
    call_of_.clear();
    span_of_.clear();
    std::vector<Nanoseconds> spans;
    spans.reserve(calls.size());
    for (const auto& [call, span] : calls) {
      spans.emplace_back(span.end - span.begin);
    }
    return spans;
  }

 private:
  struct Span {
    std::uint64_t begin;
    std::uint64_t end;
  };

  std::mutex mutex_;
  std::map<std::uint32_t, std::uint64_t> call_of_;
  std::map<std::uint32_t, Span> span_of_;
};

// CUPTI keeps the callbacks to the end of the process, and they have no argument for an object.
Records& records() {
  static auto* const all = new Records;
  return *all;
}

class ActivitySpans final : public CallSpans {
 public:
  ActivitySpans() {
    take_activity_records([](const CUpti_Activity& record) { records().add(record); });
    check_cupti(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION),
                "cuptiActivityEnable");
    check_cupti(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_RUNTIME), "cuptiActivityEnable");
  }

  // A number that CUPTI does not take leaves its call without a span, which the counters show.
  void begin_call() noexcept override {
    (void)cuptiActivityPushExternalCorrelationId(external_kind, ++calls_);
  }
  void end_call() noexcept override {
    std::uint64_t call = 0;
    (void)cuptiActivityPopExternalCorrelationId(external_kind, &call);
  }

  Taken take() override {
    flush_activity_records();
    return {static_cast<std::size_t>(calls_ - std::exchange(calls_taken_, calls_)),
            records().take()};
  }

 private:
  std::uint64_t calls_ = 0;
  std::uint64_t calls_taken_ = 0;
};

}  // namespace

std::unique_ptr<CallSpans> make_activity_spans() { return std::make_unique<ActivitySpans>(); }

}  // namespace copybench
