// SPDX-License-Identifier: Apache-2.0
// The suite's clock, read in CUPTI's callbacks: the last thing before a function of the runtime is
// entered and the first after it has returned. It needs no buffers and loses nothing, but the
// callbacks of all functions are paid for in every timed region.
#include <utility>

#include "common/cupti/cupti_check.hpp"
#include "common/cupti/span_sources.hpp"

namespace copybench {
namespace {

// Of the call that the thread is observed in.
struct Observed {
  bool is_open = false;
  TimePoint begin{};
  TimePoint end{};
};
thread_local Observed observed;

void CUPTIAPI on_runtime_function(void* /*user*/, CUpti_CallbackDomain /*domain*/,
                                  CUpti_CallbackId /*function*/, const void* data) {
  if (!observed.is_open) {
    return;
  }
  if (static_cast<const CUpti_CallbackData*>(data)->callbackSite == CUPTI_API_EXIT) {
    observed.end = now();
  } else if (observed.begin == TimePoint{}) {
    observed.begin = now();
  }
}

class CallbackSpans final : public CallSpans {
 public:
  CallbackSpans() {
    check_cupti(cuptiSubscribe(&subscriber_, on_runtime_function, nullptr), "cuptiSubscribe");
    check_cupti(cuptiEnableDomain(1, subscriber_, CUPTI_CB_DOMAIN_RUNTIME_API),
                "cuptiEnableDomain");
    spans_.reserve(most_calls);
  }
  ~CallbackSpans() override { (void)cuptiUnsubscribe(subscriber_); }
  CallbackSpans(const CallbackSpans&) = delete;
  CallbackSpans& operator=(const CallbackSpans&) = delete;
  CallbackSpans(CallbackSpans&&) = delete;
  CallbackSpans& operator=(CallbackSpans&&) = delete;

  void begin_call() noexcept override {
    ++calls_;
    observed = {.is_open = true};
  }
  void end_call() noexcept override {
    observed.is_open = false;
    // Memory is not to be had here: what does not fit is missing, which the counters show.
    if (observed.begin != TimePoint{} && observed.end >= observed.begin &&
        spans_.size() < most_calls) {
      spans_.emplace_back(observed.end - observed.begin);
    }
  }

  Taken take() override {
    Taken taken{std::exchange(calls_, 0), std::exchange(spans_, {})};
    spans_.reserve(most_calls);
    return taken;
  }

 private:
  // More than a batch can have.
  static constexpr std::size_t most_calls = 100000;

  CUpti_SubscriberHandle subscriber_ = nullptr;
  std::size_t calls_ = 0;
  std::vector<Nanoseconds> spans_;
};

}  // namespace

std::unique_ptr<CallSpans> make_callback_spans() { return std::make_unique<CallbackSpans>(); }

}  // namespace copybench
