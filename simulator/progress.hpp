// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include <cuda_runtime_api.h>

#include "common/measurement/clock.hpp"

namespace copybench::simulator {

/// Whether a piece of work has been done, and when. Guarded by the mutex of Progress.
struct Completion {
  bool done = false;
  TimePoint when{};
};

/// Shared by the stream that does the work, events, and whoever waits. Null: nothing to wait for.
using Ticket = std::shared_ptr<Completion>;

/// The one lock of the simulator's streams, and the news that something got done. One condition
/// variable for all: a program has a dozen streams, not a thousand.
class Progress {
 public:
  std::mutex mutex;
  std::condition_variable changed;

  // These need the mutex.
  /// Why the context is lost, or cudaSuccess. Never cleared.
  cudaError_t lost = cudaSuccess;
  /// Operations that are being performed at this moment.
  int running = 0;

  [[nodiscard]] static Progress& get();
};

/// Needs the mutex.
[[nodiscard]] inline bool is_done(const Ticket& ticket) {
  return ticket == nullptr || ticket->done;
}

/// Blocks the calling host thread until the work is done. Throws Refusal once the context is lost.
void wait_for(const Ticket& ticket);
void wait_for(const std::vector<Ticket>& tickets);

/// The answer of a query that has found its work `done` or not. Throws Refusal once the context is
/// lost, which the work itself may have done since the call began, or with cudaErrorNotReady.
void require_done(bool done);

[[nodiscard]] cudaError_t context_error();
/// Throws Refusal once the context is lost, but not before the last operation has let go of the
/// program's memory: the program may free it as soon as it knows.
void require_context();
/// The first error counts.
void lose_context(cudaError_t error);

}  // namespace copybench::simulator
