// SPDX-License-Identifier: Apache-2.0
#include "simulator/activity_log.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <unistd.h>
#include <utility>
#include <vector>

namespace copybench::simulator {
namespace {

struct Log {
  std::atomic<bool> is_on = false;
  std::atomic<std::uint64_t> calls = 0;
  std::mutex mutex;
  std::vector<Activity> activities;
};

// Never destroyed: streams' threads may outlast the static objects of the program.
Log& log() {
  static auto* const of_process = new Log;
  return *of_process;
}

thread_local std::uint64_t call_in_progress = 0;

struct Work {
  std::uint64_t stream = 0;
  std::uint64_t call = 0;
};
thread_local Work work_in_progress;

Nanoseconds on_log(TimePoint time) { return time.time_since_epoch(); }

std::uint64_t this_thread() noexcept {
  thread_local const auto number = static_cast<std::uint64_t>(gettid());
  return number;
}

// Without memory for it an activity is missing, which is no reason to end the program.
void add(Activity activity) noexcept {
  try {
    const std::scoped_lock lock(log().mutex);
    log().activities.push_back(std::move(activity));
  } catch (const std::exception&) {
    return;
  }
}

class LogReader final : public ActivityRecorder {
 public:
  LogReader() { log().is_on = true; }
  ~LogReader() override { log().is_on = false; }
  LogReader(const LogReader&) = delete;
  LogReader& operator=(const LogReader&) = delete;
  LogReader(LogReader&&) = delete;
  LogReader& operator=(LogReader&&) = delete;

  Nanoseconds time() noexcept override { return on_log(now()); }
  std::vector<Activity> take() override {
    const std::scoped_lock lock(log().mutex);
    return std::exchange(log().activities, {});
  }
};

[[maybe_unused]] const bool is_registered = [] {
  make_activity_recorder = []() -> std::unique_ptr<ActivityRecorder> {
    return std::make_unique<LogReader>();
  };
  return true;
}();

}  // namespace

RecordedCall::RecordedCall(const char* api) noexcept {
  if (log().is_on.load(std::memory_order_relaxed)) {
    api_ = api;
    call_in_progress = ++log().calls;
    begin_ = now();
  }
}

RecordedCall::~RecordedCall() {
  const std::uint64_t number = std::exchange(call_in_progress, 0);
  if (api_ != nullptr) {
    const TimePoint end = now();
    add({.kind = ActivityKind::call,
         .name = api_,
         .place = this_thread(),
         .begin = on_log(begin_),
         .end = on_log(end),
         .correlation = number});
  }
}

std::uint64_t current_call() noexcept { return call_in_progress; }

void begin_work_of(std::uint64_t stream, std::uint64_t call) noexcept {
  work_in_progress = {.stream = stream, .call = call};
}

RecordedWork::RecordedWork(ActivityKind kind, const char* name, std::size_t bytes) noexcept
    : kind_(kind), bytes_(bytes) {
  if (log().is_on.load(std::memory_order_relaxed)) {
    name_ = name;
    begin_ = now();
  }
}

RecordedWork::~RecordedWork() {
  if (name_ != nullptr) {
    const TimePoint end = now();
    add({.kind = kind_,
         .name = name_,
         .place = work_in_progress.stream,
         .begin = on_log(begin_),
         .end = on_log(end),
         .correlation = work_in_progress.call,
         .bytes = bytes_});
  }
}

}  // namespace copybench::simulator
