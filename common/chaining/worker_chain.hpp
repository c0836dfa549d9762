// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>

#include "common/chaining/chain.hpp"
#include "common/cuda/event.hpp"

namespace copybench {

/// The callback that CUDA permits: a host function behind the first copy makes no CUDA call, it
/// only wakes a thread, and the thread enqueues the second copy. start() never waits for the
/// device.
///
/// The caller must not enqueue anything in the copy stream between start() and finish(): it would
/// come before the second copy.
class WorkerChain final : public Chain {
 public:
  explicit WorkerChain(StreamView stream);
  /// Waits for a chain in flight: its memory is the caller's.
  ~WorkerChain() override;
  WorkerChain(const WorkerChain&) = delete;
  WorkerChain& operator=(const WorkerChain&) = delete;
  WorkerChain(WorkerChain&&) = delete;
  WorkerChain& operator=(WorkerChain&&) = delete;

  void start(const ChainRequest& request) override;
  /// A failure of earlier work reaches the caller within milliseconds: CUDA does not call the host
  /// function then, so nobody would ever wake the worker.
  void finish() override;

 private:
  enum class State { idle, waiting_for_size, size_arrived, enqueued, failed };

  static void CUDART_CB size_has_arrived(void* self);
  void enter(State state);
  void serve();
  void wait_until_enqueued();

  StreamView stream_;
  Event done_;
  ChainRequest request_{};
  int device_ = 0;
  std::mutex mutex_;
  std::condition_variable size_arrived_;
  std::condition_variable settled_;
  State state_ = State::idle;
  bool quitting_ = false;
  std::exception_ptr failure_;
  std::jthread worker_;
};

}  // namespace copybench
