// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/chain.hpp"

#include <stdexcept>

#include "common/chaining/callback_chain.hpp"
#include "common/chaining/deferred_chain.hpp"
#include "common/chaining/enqueued_chains.hpp"
#include "common/chaining/graph_chains/copiers.hpp"
#include "common/chaining/graph_chains/device_decided_chain.hpp"
#include "common/chaining/graph_chains/graph_update_chain.hpp"
#include "common/chaining/offloaded_chain.hpp"
#include "common/chaining/size_arrival.hpp"
#include "common/chaining/speculative_chain.hpp"
#include "common/chaining/worker_chain.hpp"
#include "common/cuda/check.hpp"

namespace copybench {
namespace {

// An error ends the call that met it, but not the copy that was enqueued before, nor the host
// function that has told of a size. What is no request for this chain has enqueued nothing.
template <typename Part>
void drained_after_error(StreamView stream, const Part& part) {
  try {
    part();
  } catch (const std::invalid_argument&) {
    throw;
  } catch (...) {
    (void)cudaStreamSynchronize(stream.get());
    (void)cudaGetLastError();
    throw;
  }
}

// For the chains that enqueue in a thread of their own.
StreamView of_every_thread(StreamView stream) {
  if (stream.get() == cudaStreamPerThread) {
    throw std::invalid_argument(
        "a thread of its own cannot enqueue in the caller's cudaStreamPerThread");
  }
  return stream;
}

std::unique_ptr<Chain> by_worker(StreamView stream, Waking woken) {
  return std::make_unique<WorkerChain>(of_every_thread(stream), woken);
}

template <typename Arrival>
std::unique_ptr<Chain> by_watching_worker(StreamView stream, CallerHelps caller_helps) {
  return std::make_unique<WorkerChain>(of_every_thread(stream), std::make_unique<Arrival>(),
                                       caller_helps);
}

template <typename Inner>
std::unique_ptr<Chain> offloaded(StreamView stream) {
  return std::make_unique<OffloadedChain>(of_every_thread(stream), std::make_unique<Inner>(stream));
}

}  // namespace

void Chain::start(const ChainRequest& request) {
  drained_after_error(stream_, [&] { begin(request); });
}

void Chain::finish() {
  drained_after_error(stream_, [&] { complete(); });
}

void Chain::finish_quietly() noexcept {
  try {
    finish();
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch)
  }
}

std::unique_ptr<Chain> make_chain(ChainStrategy strategy, StreamView stream) {
  switch (strategy) {
    case ChainStrategy::stale_arguments:
      return std::make_unique<StaleArgumentsChain>(stream);
    case ChainStrategy::callback_illegal:
      return std::make_unique<CallbackChain>(stream);
    case ChainStrategy::stream_sync:
      return std::make_unique<StreamSyncChain>(stream);
    case ChainStrategy::host_func_worker:
      return by_worker(stream, Waking::condition_variable);
    case ChainStrategy::copy_capacity:
      return std::make_unique<CopyCapacityChain>(stream);
    case ChainStrategy::known_size:
      return std::make_unique<KnownSizeChain>(stream);
    case ChainStrategy::event_sync_spin:
      return std::make_unique<EventSyncChain>(stream, EventWait::spin);
    case ChainStrategy::event_sync_blocking:
      return std::make_unique<EventSyncChain>(stream, EventWait::block);
    case ChainStrategy::host_func_atomic_wait:
      return by_worker(stream, Waking::atomic_wait);
    case ChainStrategy::host_func_spin:
      return by_worker(stream, Waking::spin);
    case ChainStrategy::event_poll_worker:
      return by_watching_worker<EventArrival>(stream, CallerHelps::no);
    case ChainStrategy::write_value_worker:
      return by_watching_worker<WrittenArrival>(stream, CallerHelps::no);
    case ChainStrategy::mapped_size_worker:
      return by_watching_worker<MappedArrival>(stream, CallerHelps::no);
    case ChainStrategy::mapped_size_shared:
      return by_watching_worker<MappedArrival>(stream, CallerHelps::yes);
    case ChainStrategy::event_poll_spin:
      return std::make_unique<DeferredChain>(stream, std::make_unique<EventArrival>());
    case ChainStrategy::write_value_spin:
      return std::make_unique<DeferredChain>(stream, std::make_unique<WrittenArrival>());
    case ChainStrategy::mapped_size_spin:
      return std::make_unique<DeferredChain>(stream, std::make_unique<MappedArrival>());
    case ChainStrategy::speculative_top_up:
      return std::make_unique<SpeculativeChain>(stream);
    case ChainStrategy::offloaded_sync:
      return offloaded<StreamSyncChain>(stream);
    case ChainStrategy::offloaded_speculative:
      return offloaded<SpeculativeChain>(stream);
    case ChainStrategy::device_copy_kernel:
      return std::make_unique<DeviceDecidedChain>(stream, make_kernel_copier);
    case ChainStrategy::graph_switch:
      return std::make_unique<DeviceDecidedChain>(stream, make_switch_copier);
    case ChainStrategy::graph_while_tiles:
      return std::make_unique<DeviceDecidedChain>(stream, make_tile_copier);
    case ChainStrategy::graph_update:
      return std::make_unique<GraphUpdateChain>(stream);
    case ChainStrategy::graph_device_update:
      return std::make_unique<DeviceDecidedChain>(stream, make_planned_copier);
  }
  throw std::invalid_argument("unknown chain strategy");
}

}  // namespace copybench
