// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <memory>
#include <thread>

#include "common/chaining/chain.hpp"
#include "common/chaining/size_arrival.hpp"
#include "common/chaining/worker_state.hpp"
#include "common/cuda/event.hpp"

namespace copybench {

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

 private:
  using Step = WorkerState::Step;
  using Seen = WorkerState::Seen;

  WorkerChain(StreamView stream, Waking waking, std::unique_ptr<SizeArrival> arrival,
              CallerHelps helps);

  void begin(const ChainRequest& request) override;
  /// A failure of earlier work reaches the caller within milliseconds: CUDA does not call the host
  /// function then, and no kernel writes a size, so nobody would ever wake the worker.
  void complete() override;

  static void CUDART_CB size_has_arrived(void* self);

  void sleep_until_settled();
  void spin_until_settled();
  void look_for_size(Seen seen);
  void throw_if_waiting(const std::exception_ptr& failure);

  void serve();
  void spin_for_size(Seen seen);
  void copy(cudaError_t device_chosen);

  std::unique_ptr<SizeArrival> arrival_;
  CallerHelps helps_;
  Event done_;
  ChainRequest request_{};
  int device_ = 0;
  WorkerState state_;
  std::exception_ptr failure_;
  std::jthread worker_;
};

}  // namespace copybench
