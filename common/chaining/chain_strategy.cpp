// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/chain_strategy.hpp"

#include <algorithm>
#include <stdexcept>

#include <cuda_runtime_api.h>

namespace copybench {

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
    case ChainStrategy::write_value_worker:
    case ChainStrategy::mapped_size_worker:
    case ChainStrategy::mapped_size_shared:
    case ChainStrategy::event_poll_spin:
    case ChainStrategy::write_value_spin:
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
