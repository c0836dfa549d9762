// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/chain.hpp"

#include <stdexcept>

#include "common/chaining/callback_chain.hpp"
#include "common/chaining/enqueued_chains.hpp"
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
  }
  throw std::invalid_argument("unknown chain strategy");
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
