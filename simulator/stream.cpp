// SPDX-License-Identifier: Apache-2.0
#include "simulator/stream.hpp"

#include <algorithm>
#include <atomic>
#include <sched.h>
#include <sys/prctl.h>
#include <utility>

#include "simulator/activity_log.hpp"
#include "simulator/call.hpp"
#include "simulator/model.hpp"

namespace copybench::simulator {
namespace {

// The processors of the process before anybody was confined to one of them. Device work must not
// share a processor with the thread under measurement just because that one created the stream.
cpu_set_t initial_processors() {
  cpu_set_t set{};
  (void)sched_getaffinity(0, sizeof(set), &set);
  return set;
}
const cpu_set_t processors = initial_processors();

void become_device_thread() { (void)sched_setaffinity(0, sizeof(processors), &processors); }

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

cudaError_t perform(const Operation& operation, cudaError_t lost) {
  try {
    if (lost == cudaSuccess) {
      return operation.run();
    }
    operation.abandon(lost);
    return lost;
  } catch (const Refusal& refusal) {
    return refusal.code;
  }
}

}  // namespace

Stream::Stream(int device, unsigned flags)
    : device_(device), flags_(flags), number_(next_number()), thread_([this] { serve(); }) {}

Stream::~Stream() {
  {
    const std::scoped_lock lock(Progress::get().mutex);
    close();
  }
  thread_.join();
}

bool Stream::is_full() const { return static_cast<double>(places_taken_) >= model().queue_depth; }

Ticket Stream::push(Operation operation) {
  tail_ = std::make_shared<Completion>();
  places_taken_ += operation.takes_a_place ? 1U : 0U;
  operation.call = current_call();
  queue_.push_back({std::move(operation), tail_});
  Progress::get().changed.notify_all();
  return tail_;
}

void Stream::close() {
  closed_ = true;
  Progress::get().changed.notify_all();
}

void Stream::serve() {
  become_device_thread();
  Progress& progress = Progress::get();
  std::unique_lock lock(progress.mutex);
  while (true) {
    progress.changed.wait(lock, [this] { return closed_ || !queue_.empty(); });
    if (queue_.empty()) {
      return;
    }
    Entry entry = std::move(queue_.front());
    progress.changed.wait(lock, [&] {
      return progress.lost != cudaSuccess || std::ranges::all_of(entry.operation.after, is_done);
    });
    const cudaError_t lost = progress.lost;
    const std::size_t places = entry.operation.takes_a_place ? 1 : 0;
    ++progress.running;
    lock.unlock();
    begin_work_of(number_, entry.operation.call);
    const cudaError_t error = perform(entry.operation, lost);
    entry.operation = {};
    lock.lock();
    --progress.running;
    places_taken_ -= places;
    if (progress.lost == cudaSuccess) {
      progress.lost = error;
    }
    entry.ticket->done = true;
    entry.ticket->when = now();
    queue_.pop_front();
    progress.changed.notify_all();
  }
}

void sleep_until(TimePoint end) {
  // Of this thread, from now on.
  thread_local const bool is_exact = prctl(PR_SET_TIMERSLACK, 1UL) == 0;
  (void)is_exact;
  std::this_thread::sleep_until(end);
}

}  // namespace copybench::simulator
