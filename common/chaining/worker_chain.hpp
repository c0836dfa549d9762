// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "common/chaining/chain.hpp"
#include "common/chaining/polling.hpp"
#include "common/chaining/size_arrival.hpp"
#include "common/cuda/event.hpp"

namespace copybench {

/// How a host function wakes the worker, and the worker a caller that is in finish().
enum class Waking {
  /// Both sleep.
  condition_variable,
  /// The worker sleeps in the kernel as well, but no mutex is taken; the caller spins.
  atomic_wait,
  /// Both spin. The worker does from start() on, which has to wake it.
  spin
};

/// Whether a caller who waits in finish() looks for the size too, and enqueues the second copy when
/// it is the first to see it: the worker's way to tell the caller is saved.
enum class CallerHelps { no, yes };

/// A second thread enqueues the second copy, once it knows the size: start() never waits for the
/// device. It is told by a host function behind the first copy, which makes no CUDA call, for that
/// is not permitted; or it asks by itself.
class WorkerChain final : public Chain {
 public:
  /// A host function tells the worker.
  WorkerChain(StreamView stream, Waking waking);
  /// The worker asks, spinning from start() on.
  WorkerChain(StreamView stream, std::unique_ptr<SizeArrival> arrival, CallerHelps helps);
  /// Waits for a chain in flight: its memory is the caller's.
  ~WorkerChain() override;
  WorkerChain(const WorkerChain&) = delete;
  WorkerChain& operator=(const WorkerChain&) = delete;
  WorkerChain(WorkerChain&&) = delete;
  WorkerChain& operator=(WorkerChain&&) = delete;

  void start(const ChainRequest& request) override;
  /// A failure of earlier work reaches the caller within milliseconds: CUDA does not call the host
  /// function then, and no kernel writes a size, so nobody would ever wake the worker.
  void finish() override;

 private:
  enum class State : int {
    idle,
    waiting_for_size,
    size_arrived,
    copying,
    enqueued,
    failed,
    quitting
  };

  WorkerChain(StreamView stream, Waking waking, std::unique_ptr<SizeArrival> arrival,
              CallerHelps helps);

  static void CUDART_CB size_has_arrived(void* self);

  /// Stores, and wakes whom it concerns.
  void enter(State state);
  [[nodiscard]] bool advance(State from, State to);
  [[nodiscard]] static bool is_settled(State state);
  void wait_until_settled();
  void sleep_until_settled();
  void look_for_size();
  void throw_if_failed(const std::exception_ptr& failure);

  void serve();
  /// Returns false when the worker is to end.
  [[nodiscard]] bool wait_for_size();
  void spin_for_size();
  void copy(cudaError_t device_chosen);

  StreamView stream_;
  Waking waking_;
  std::unique_ptr<SizeArrival> arrival_;
  CallerHelps helps_;
  Event done_;
  ChainRequest request_{};
  int device_ = 0;
  std::atomic<State> state_{State::idle};
  // Held by whoever changes the state where a condition variable wakes; otherwise by nobody.
  std::mutex mutex_;
  std::condition_variable size_arrived_;
  std::condition_variable settled_;
  std::exception_ptr failure_;
  std::jthread worker_;
};

}  // namespace copybench
