// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include <cuda_runtime_api.h>

#include "simulator/call.hpp"
#include "simulator/devices.hpp"
#include "simulator/model.hpp"
#include "simulator/report.hpp"

using namespace copybench::simulator;

namespace {

struct Event {
  unsigned flags;
  /// Of the last record; null before the first.
  Ticket recorded;
};

class Events {
 public:
  static Events& get() {
    static auto* const events = new Events;
    return *events;
  }

  cudaEvent_t create(unsigned flags) {
    const std::scoped_lock lock(mutex_);
    count_holding(Holding::event, 1);
    return handle(events_.emplace_back(std::make_unique<Event>(Event{flags, nullptr})).get());
  }

  void destroy(cudaEvent_t event) {
    const std::scoped_lock lock(mutex_);
    const auto found = find(event);
    events_.erase(found);
    count_holding(Holding::event, -1);
  }

  // A copy: the event may be recorded anew meanwhile.
  Event read(cudaEvent_t event) {
    const std::scoped_lock lock(mutex_);
    return **find(event);
  }

  void record(cudaEvent_t event, Ticket ticket) {
    const std::scoped_lock lock(mutex_);
    (*find(event))->recorded = std::move(ticket);
  }

 private:
  static cudaEvent_t handle(Event* event) { return reinterpret_cast<cudaEvent_t>(event); }

  std::vector<std::unique_ptr<Event>>::iterator find(cudaEvent_t event) {
    const auto found = std::ranges::find_if(
        events_, [&](const std::unique_ptr<Event>& one) { return handle(one.get()) == event; });
    require(found != events_.end(), cudaErrorInvalidResourceHandle);
    return found;
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Event>> events_;
};

bool is_done(const Event& event) {
  const std::scoped_lock lock(Progress::get().mutex);
  return is_done(event.recorded);
}

}  // namespace

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return run_call("cudaEventCreateWithFlags", [&](const CallFaults&) {
    constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming;
    require(event != nullptr && (flags & ~known) == 0);
    *event = Events::get().create(flags);
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return run_call("cudaEventDestroy", [&](const CallFaults&) { Events::get().destroy(event); });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return run_enqueueing_call("cudaEventRecord", [&](const CallFaults&) {
    (void)Events::get().read(event);
    Events::get().record(event, submit(stream, {}));
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return run_call("cudaEventSynchronize", [&](const CallFaults&) {
    const Event read = Events::get().read(event);
    // Contract row 26: the flag of the event decides whether the thread sleeps.
    while ((read.flags & cudaEventBlockingSync) == 0 && !is_done(read)) {
      require_context();
      // Not so often that nobody else gets the lock.
      copybench::spin_until(copybench::now() + microseconds(2));
    }
    wait_for(read.recorded);
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return run_query("cudaEventQuery",
                   [&](const CallFaults&) { require_done(is_done(Events::get().read(event))); });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return run_enqueueing_call("cudaStreamWaitEvent", [&](const CallFaults&) {
    require(flags == cudaEventWaitDefault);
    const Event read = Events::get().read(event);
    // Before its first record an event holds nobody.
    (void)submit(stream, {.after = {read.recorded}});
  });
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
  return run_call("cudaEventElapsedTime", [&](const CallFaults&) {
    const Event first = Events::get().read(start);
    const Event last = Events::get().read(end);
    require(ms != nullptr && ((first.flags | last.flags) & cudaEventDisableTiming) == 0 &&
                first.recorded != nullptr && last.recorded != nullptr,
            cudaErrorInvalidResourceHandle);
    require_done(is_done(first) && is_done(last));
    *ms = std::chrono::duration<float, std::milli>(last.recorded->when - first.recorded->when)
              .count();
  });
}
