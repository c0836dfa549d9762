// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/chain.hpp"

#include <algorithm>
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

namespace copybench {

std::unique_ptr<Chain> make_chain(ChainStrategy strategy, StreamView stream) {
  switch (strategy) {
    case ChainStrategy::stale_arguments:
      return std::make_unique<StaleArgumentsChain>(stream);
    case ChainStrategy::callback_illegal:
      return std::make_unique<CallbackChain>(stream);
    case ChainStrategy::stream_sync:
      return std::make_unique<StreamSyncChain>(stream);
    case ChainStrategy::host_func_worker:
      return std::make_unique<WorkerChain>(stream, Waking::condition_variable);
    case ChainStrategy::copy_capacity:
      return std::make_unique<CopyCapacityChain>(stream);
    case ChainStrategy::known_size:
      return std::make_unique<KnownSizeChain>(stream);
    case ChainStrategy::event_sync_spin:
      return std::make_unique<EventSyncChain>(stream, EventWait::spin);
    case ChainStrategy::event_sync_blocking:
      return std::make_unique<EventSyncChain>(stream, EventWait::block);
    case ChainStrategy::host_func_atomic_wait:
      return std::make_unique<WorkerChain>(stream, Waking::atomic_wait);
    case ChainStrategy::host_func_spin:
      return std::make_unique<WorkerChain>(stream, Waking::spin);
    case ChainStrategy::event_poll_worker:
      return std::make_unique<WorkerChain>(stream, std::make_unique<EventArrival>(),
                                           CallerHelps::no);
    case ChainStrategy::mapped_size_worker:
      return std::make_unique<WorkerChain>(stream, std::make_unique<MappedArrival>(),
                                           CallerHelps::no);
    case ChainStrategy::mapped_size_shared:
      return std::make_unique<WorkerChain>(stream, std::make_unique<MappedArrival>(),
                                           CallerHelps::yes);
    case ChainStrategy::event_poll_spin:
      return std::make_unique<DeferredChain>(stream, std::make_unique<EventArrival>());
    case ChainStrategy::mapped_size_spin:
      return std::make_unique<DeferredChain>(stream, std::make_unique<MappedArrival>());
    case ChainStrategy::speculative_top_up:
      return std::make_unique<SpeculativeChain>(stream);
    case ChainStrategy::offloaded_sync:
      return std::make_unique<OffloadedChain>(std::make_unique<StreamSyncChain>(stream));
    case ChainStrategy::offloaded_speculative:
      return std::make_unique<OffloadedChain>(std::make_unique<SpeculativeChain>(stream));
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

std::optional<std::string> lacks_chain_strategy(ChainStrategy strategy, int driver_version) {
  constexpr int first_with_switch = 12080;
  constexpr int first_with_loops = 12040;
  if (strategy == ChainStrategy::graph_switch &&
      (CUDART_VERSION < first_with_switch || driver_version < first_with_switch)) {
    return "needs CUDA 12.8, which the toolkit or the driver lacks";
  }
  const bool needs_loops = strategy == ChainStrategy::graph_while_tiles ||
                           strategy == ChainStrategy::graph_device_update;
  if (needs_loops && driver_version < first_with_loops) {
    return "needs CUDA 12.4, which the driver lacks";
  }
  return std::nullopt;
}

std::size_t elements_delivered(ChainStrategy strategy, std::size_t size, std::size_t old_size,
                               std::size_t capacity, std::size_t expected) {
  switch (strategy) {
    case ChainStrategy::stale_arguments:
      return old_size;
    case ChainStrategy::callback_illegal:
      return 0;
    case ChainStrategy::copy_capacity:
      return capacity;
    case ChainStrategy::speculative_top_up:
    case ChainStrategy::offloaded_speculative:
      return std::max(size, std::min(expected, capacity));
    case ChainStrategy::stream_sync:
    case ChainStrategy::host_func_worker:
    case ChainStrategy::known_size:
    case ChainStrategy::event_sync_spin:
    case ChainStrategy::event_sync_blocking:
    case ChainStrategy::host_func_atomic_wait:
    case ChainStrategy::host_func_spin:
    case ChainStrategy::event_poll_worker:
    case ChainStrategy::mapped_size_worker:
    case ChainStrategy::mapped_size_shared:
    case ChainStrategy::event_poll_spin:
    case ChainStrategy::mapped_size_spin:
    case ChainStrategy::offloaded_sync:
    case ChainStrategy::device_copy_kernel:
    case ChainStrategy::graph_switch:
    case ChainStrategy::graph_while_tiles:
    case ChainStrategy::graph_update:
    case ChainStrategy::graph_device_update:
      return size;
  }
  throw std::invalid_argument("unknown chain strategy");
}

std::string outcome_label(ChainStrategy strategy, bool refused) {
  if (strategy == ChainStrategy::stale_arguments) {
    return "wrong_data";
  }
  if (strategy == ChainStrategy::callback_illegal) {
    return refused ? "refused_cudaErrorNotPermitted" : "invalid_use_not_refused";
  }
  return "";
}

bool may_write_past_size(ChainStrategy strategy) {
  return strategy == ChainStrategy::copy_capacity ||
         strategy == ChainStrategy::speculative_top_up ||
         strategy == ChainStrategy::offloaded_speculative;
}

bool is_correct(ChainStrategy strategy) {
  return strategy != ChainStrategy::stale_arguments && strategy != ChainStrategy::callback_illegal;
}

bool waits_in_start(ChainStrategy strategy) {
  return strategy == ChainStrategy::stream_sync || strategy == ChainStrategy::event_sync_spin ||
         strategy == ChainStrategy::event_sync_blocking || strategy == ChainStrategy::graph_update;
}

}  // namespace copybench
