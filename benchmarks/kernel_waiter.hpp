// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>

#include <cuda_runtime_api.h>

#include "common/cuda/event.hpp"
#include "common/cuda/stream.hpp"
#include "common/measurement/clock.hpp"
#include "common/measurement/helper_thread.hpp"

namespace copybench {

/// Who hears of the end of a kernel, and by what.
enum class Waiter {
  /// A host function behind the kernel, on a thread of CUDA's: until it is entered.
  host_function,
  /// A thread that sleeps on a condition variable, which the host function notifies.
  worker_sleeping,
  /// A thread that spins on a flag, which the host function sets.
  worker_spinning,
  /// The calling thread, which spins on mapped memory that the kernel writes last.
  mapped_flag,
  /// The calling thread, which asks cudaEventQuery without a pause.
  event_poll,
  /// The calling thread in cudaEventSynchronize, by the event's flag.
  event_sync_spin,
  event_sync_block,
  /// The calling thread in cudaStreamSynchronize, by the device's flags, which spins by default.
  stream_sync
};
inline constexpr std::array<std::string_view, 8> waiter_names{
    "host_function", "worker_sleeping", "worker_spinning",  "mapped_flag",
    "event_poll",    "event_sync_spin", "event_sync_block", "stream_sync"};

[[nodiscard]] inline bool has_host_function(Waiter waiter) {
  return waiter <= Waiter::worker_spinning;
}

/// One of them, to wait for the last kernel of a stream again and again: enqueue() behind the
/// kernel, then wait(). Not thread-safe.
class KernelWaiter {
 public:
  struct Heard {
    /// When whoever waits knew.
    TimePoint when{};
    /// When the host function was entered; nothing without one.
    TimePoint entered{};
    /// What the kernel writes last was there by then.
    bool is_complete = false;
    /// The host function ran on a processor that the calling thread is confined to.
    bool on_callers_cpu = false;
  };

  /// `written` is where the kernel writes, in mapped host memory.
  KernelWaiter(Waiter waiter, StreamView stream, const std::int32_t* written);
  ~KernelWaiter();
  KernelWaiter(const KernelWaiter&) = delete;
  KernelWaiter& operator=(const KernelWaiter&) = delete;
  KernelWaiter(KernelWaiter&&) = delete;
  KernelWaiter& operator=(KernelWaiter&&) = delete;

  /// Returns once a thread that is to wait is about to. The kernel writes `number`, which no kernel
  /// before it has.
  void enqueue(std::int32_t number);
  /// Throws CudaError when the kernel has failed.
  [[nodiscard]] Heard wait();
  /// To be called when wait() will not be, on a stream that is drained or has failed.
  void cancel() noexcept;

 private:
  static void CUDART_CB on_kernel_end(void* self);
  void start_worker();
  void wait_asleep();
  void wait_spinning();
  void wait_until_settled();
  void wait_for_memory();
  void settle(TimePoint when);
  [[nodiscard]] bool is_written() const;

  Waiter waiter_;
  StreamView stream_;
  const std::int32_t* written_;
  Event event_;
  std::int32_t number_ = 0;
  int callers_cpu_ = -1;
  // Both of the host function and of the worker.
  std::atomic<bool> arrived_ = false;
  std::atomic<bool> cancelled_ = false;
  std::atomic<bool> worker_is_there_ = false;
  std::mutex mutex_;
  std::condition_variable arrival_;
  std::condition_variable settled_;
  bool is_settled_ = false;
  Heard heard_;
  // The last member: its job uses the others.
  std::unique_ptr<HelperThread> worker_;
};

}  // namespace copybench
