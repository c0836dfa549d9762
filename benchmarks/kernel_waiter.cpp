// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/kernel_waiter.hpp"

#include <chrono>
#include <sched.h>
#include <vector>

#include "common/affinity.hpp"
#include "common/cuda/check.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;

// A kernel that has failed is followed by no host function and writes nothing: who waits asks
// now and then, far more seldom than any wait lasts.
constexpr Nanoseconds ask_every = 10ms;

EventWait event_wait(Waiter waiter) {
  return waiter == Waiter::event_sync_block ? EventWait::block : EventWait::spin;
}

}  // namespace

KernelWaiter::KernelWaiter(Waiter waiter, StreamView stream, const std::int32_t* written)
    : waiter_(waiter), stream_(stream), written_(written), event_(event_wait(waiter)) {
  if (waiter == Waiter::worker_sleeping || waiter == Waiter::worker_spinning) {
    worker_ = std::make_unique<HelperThread>();
  }
}

KernelWaiter::~KernelWaiter() { cancel(); }

void KernelWaiter::cancel() noexcept {
  {
    const std::scoped_lock lock(mutex_);
    cancelled_ = true;
  }
  arrival_.notify_one();
}

void KernelWaiter::enqueue(std::int32_t number) {
  number_ = number;
  heard_ = {};
  is_settled_ = false;
  arrived_ = false;
  if (!has_host_function(waiter_)) {
    event_.record(stream_);
    return;
  }
  const std::vector<int> confined_to = allowed_cpus();
  callers_cpu_ = confined_to.size() == 1 ? confined_to.front() : -1;
  if (worker_ != nullptr) {
    start_worker();
  }
  check(cudaLaunchHostFunc(stream_.get(), on_kernel_end, this), "cudaLaunchHostFunc");
}

KernelWaiter::Heard KernelWaiter::wait() {
  switch (waiter_) {
    case Waiter::host_function:
    case Waiter::worker_sleeping:
    case Waiter::worker_spinning:
      wait_until_settled();
      return heard_;
    case Waiter::mapped_flag:
      wait_for_memory();
      break;
    case Waiter::event_poll:
      while (!event_.is_done()) {
      }
      break;
    case Waiter::event_sync_spin:
    case Waiter::event_sync_block:
      event_.sync();
      break;
    case Waiter::stream_sync:
      stream_.sync();
      break;
  }
  heard_.when = now();
  heard_.is_complete = is_written();
  return heard_;
}

bool KernelWaiter::is_written() const {
  return __atomic_load_n(written_, __ATOMIC_ACQUIRE) == number_;
}

void KernelWaiter::wait_for_memory() {
  constexpr int looks_in_between = 1'000'000;
  while (true) {
    for (int i = 0; i < looks_in_between; ++i) {
      if (is_written()) {
        return;
      }
    }
    (void)stream_.is_done();
  }
}

// Makes no CUDA call, and takes the time before anything else.
void KernelWaiter::on_kernel_end(void* self) {
  auto& waiter = *static_cast<KernelWaiter*>(self);
  const TimePoint entered = now();
  waiter.heard_.entered = entered;
  waiter.heard_.on_callers_cpu = sched_getcpu() == waiter.callers_cpu_;
  if (waiter.waiter_ == Waiter::host_function) {
    waiter.settle(entered);
    return;
  }
  if (waiter.waiter_ == Waiter::worker_spinning) {
    waiter.arrived_ = true;
    return;
  }
  {
    const std::scoped_lock lock(waiter.mutex_);
    waiter.arrived_ = true;
  }
  waiter.arrival_.notify_one();
}

void KernelWaiter::settle(TimePoint when) {
  heard_.when = when;
  heard_.is_complete = is_written();
  // Under the lock: nobody may be gone before the notification is through.
  const std::scoped_lock lock(mutex_);
  is_settled_ = true;
  settled_.notify_one();
}

void KernelWaiter::start_worker() {
  worker_is_there_ = false;
  worker_->start([this] { waiter_ == Waiter::worker_sleeping ? wait_asleep() : wait_spinning(); });
  while (!worker_is_there_) {
  }
}

void KernelWaiter::wait_asleep() {
  std::unique_lock lock(mutex_);
  worker_is_there_ = true;
  arrival_.wait(lock, [this] { return arrived_ || cancelled_; });
  const TimePoint awake = now();
  lock.unlock();
  settle(awake);
}

void KernelWaiter::wait_spinning() {
  worker_is_there_ = true;
  while (!arrived_ && !cancelled_) {
  }
  settle(now());
}

void KernelWaiter::wait_until_settled() {
  std::unique_lock lock(mutex_);
  while (!settled_.wait_for(lock, ask_every, [this] { return is_settled_; })) {
    // Without the lock, which the host function needs.
    lock.unlock();
    (void)stream_.is_done();
    lock.lock();
  }
  lock.unlock();
  if (worker_ != nullptr) {
    worker_->join_job();
  }
}

}  // namespace copybench
