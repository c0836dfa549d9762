// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/chain.hpp"

#include <stdexcept>

#include "common/chaining/callback_chain.hpp"
#include "common/chaining/enqueued_chains.hpp"
#include "common/chaining/graph_chains/copiers.hpp"
#include "common/chaining/graph_chains/device_decided_chain.hpp"
#include "common/chaining/graph_chains/graph_update_chain.hpp"
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
      return std::make_unique<WorkerChain>(stream);
    case ChainStrategy::copy_capacity:
      return std::make_unique<CopyCapacityChain>(stream);
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
                               std::size_t capacity) {
  switch (strategy) {
    case ChainStrategy::stale_arguments:
      return old_size;
    case ChainStrategy::callback_illegal:
      return 0;
    case ChainStrategy::copy_capacity:
      return capacity;
    case ChainStrategy::stream_sync:
    case ChainStrategy::host_func_worker:
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

bool is_correct(ChainStrategy strategy) {
  return strategy != ChainStrategy::stale_arguments && strategy != ChainStrategy::callback_illegal;
}

}  // namespace copybench
