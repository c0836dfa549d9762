// SPDX-License-Identifier: Apache-2.0
#include "simulator/progress.hpp"

#include "simulator/call.hpp"

namespace copybench::simulator {

Progress& Progress::get() {
  // Never destroyed: a stream's thread may outlast the static objects of the program.
  static auto* const progress = new Progress;
  return *progress;
}

void wait_for(const Ticket& ticket) {
  Progress& progress = Progress::get();
  std::unique_lock lock(progress.mutex);
  progress.changed.wait(lock, [&] { return progress.lost != cudaSuccess || is_done(ticket); });
  lock.unlock();
  require_context();
}

void wait_for(const std::vector<Ticket>& tickets) {
  for (const Ticket& ticket : tickets) {
    wait_for(ticket);
  }
  // Where nothing is left to wait for, that can be because it failed meanwhile.
  require_context();
}

void require_done(bool done) {
  require_context();
  require(done, cudaErrorNotReady);
}

void require_context() {
  Progress& progress = Progress::get();
  std::unique_lock lock(progress.mutex);
  if (progress.lost != cudaSuccess) {
    // A host function is itself an operation that runs, and would wait for itself.
    progress.changed.wait(lock, [&] { return progress.running == 0 || is_in_host_function(); });
    throw Refusal(progress.lost);
  }
}

cudaError_t context_error() {
  const std::scoped_lock lock(Progress::get().mutex);
  return Progress::get().lost;
}

void lose_context(cudaError_t error) {
  Progress& progress = Progress::get();
  {
    const std::scoped_lock lock(progress.mutex);
    if (progress.lost == cudaSuccess) {
      progress.lost = error;
    }
  }
  progress.changed.notify_all();
}

}  // namespace copybench::simulator
