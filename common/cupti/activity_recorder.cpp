// SPDX-License-Identifier: Apache-2.0
#include "common/cupti/activity_recorder.hpp"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/cupti/activity_buffers.hpp"
#include "common/cupti/cupti_check.hpp"
#include "common/timeline/kernel_name.hpp"

namespace copybench {
namespace {

// The records of the newest version that each CUPTI makes; the fields that are read here have been
// the same for long.
#if CUPTI_API_VERSION >= 130000
using KernelRecord = CUpti_ActivityKernel10;
using CopyRecord = CUpti_ActivityMemcpy6;
#else
using KernelRecord = CUpti_ActivityKernel9;
using CopyRecord = CUpti_ActivityMemcpy5;
#endif
using FillRecord = CUpti_ActivityMemset4;

Nanoseconds on_recorder(std::uint64_t time) {
  return Nanoseconds(static_cast<Nanoseconds::rep>(time));
}

// What all records of a device have.
template <typename Record>
Activity device_activity(ActivityKind kind, const std::string& name, const Record& record) {
  return {.kind = kind,
          .name = name,
          .place = record.streamId,
          .begin = on_recorder(record.start),
          .end = on_recorder(record.end),
          .correlation = record.correlationId};
}

const char* copy_name(std::uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
      return "copy to device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
      return "copy to host";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
      return "copy on device";
    default:
      return "copy";
  }
}

// "cudaMemcpyAsync_v3020" is CUPTI's name of one version of a function.
std::string function_name(CUpti_CallbackId function) {
  const char* name = nullptr;
  if (cuptiGetCallbackName(CUPTI_CB_DOMAIN_RUNTIME_API, function, &name) != CUPTI_SUCCESS ||
      name == nullptr) {
    return "function " + std::to_string(function);
  }
  std::string text = name;
  text.resize(std::min(text.rfind("_v"), text.size()));
  return text;
}

std::optional<Activity> read(const CUpti_Activity& record) {
  switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_RUNTIME: {
      const auto& call = reinterpret_cast<const CUpti_ActivityAPI&>(record);
      return Activity{.kind = ActivityKind::call,
                      .name = function_name(call.cbid),
                      .place = call.threadId,
                      .begin = on_recorder(call.start),
                      .end = on_recorder(call.end),
                      .correlation = call.correlationId};
    }
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
      const auto& kernel = reinterpret_cast<const KernelRecord&>(record);
      return device_activity(ActivityKind::kernel, short_kernel_name(kernel.name), kernel);
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      const auto& copy = reinterpret_cast<const CopyRecord&>(record);
      Activity activity = device_activity(ActivityKind::copy, copy_name(copy.copyKind), copy);
      activity.bytes = copy.bytes;
      return activity;
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
      const auto& fill = reinterpret_cast<const FillRecord&>(record);
      Activity activity = device_activity(ActivityKind::fill, "fill", fill);
      activity.bytes = fill.bytes;
      return activity;
    }
    default:
      return std::nullopt;
  }
}

// What has come back from CUPTI, on whichever thread of its own it likes, to the end of the
// process.
struct Received {
  std::mutex mutex;
  std::vector<Activity> activities;
};
Received& received() {
  static auto* const of_process = new Received;
  return *of_process;
}

void receive(const CUpti_Activity& record) {
  std::optional<Activity> activity = read(record);
  // CUPTI's sign for times that it could not take.
  if (activity && activity->begin != Nanoseconds{0} && activity->end >= activity->begin) {
    const std::scoped_lock lock(received().mutex);
    received().activities.push_back(*std::move(activity));
  }
}

class CuptiRecorder final : public ActivityRecorder {
 public:
  CuptiRecorder() {
    // As the suite names threads; only before the first record.
    check_cupti(cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM), "cuptiSetThreadIdType");
    take_activity_records(receive);
    // The other kind of kernel records has one kernel run at a time.
    for (const CUpti_ActivityKind kind :
         {CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
          CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET}) {
      check_cupti(cuptiActivityEnable(kind), "cuptiActivityEnable");
    }
  }

  Nanoseconds time() noexcept override {
    std::uint64_t time = 0;
    (void)cuptiGetTimestamp(&time);
    return on_recorder(time);
  }

  std::vector<Activity> take() override {
    flush_activity_records();
    const std::scoped_lock lock(received().mutex);
    return std::exchange(received().activities, {});
  }
};

}  // namespace

std::unique_ptr<ActivityRecorder> make_cupti_recorder() {
  return std::make_unique<CuptiRecorder>();
}

}  // namespace copybench
