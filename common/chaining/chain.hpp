// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "common/cuda/stream.hpp"

namespace copybench {

/// Two copies to the host, the second as long as the first says: *host_size elements of
/// `host_data`. Host pointers are pinned memory.
struct ChainRequest {
  const std::int32_t* device_size;
  std::int32_t* host_size;
  const double* device_data;
  double* host_data;
  /// Most elements that the size may name.
  std::size_t capacity;
};

/// One named way to chain the two copies.
enum class ChainStrategy {
  /// Both copies enqueued at once, the second with the size that happens to be in host memory then:
  /// copies the wrong number of elements.
  stale_arguments,
  /// cudaMemcpyAsync inside a stream callback, which CUDA does not permit.
  callback_illegal,
  /// The host waits for the size, then enqueues the second copy.
  stream_sync,
  /// A host function behind the first copy wakes a thread, and that thread enqueues the second
  /// copy.
  host_func_worker,
  /// Copies all that could have been asked for.
  copy_capacity,
  // Of the graph_chains folder.
  /// A kernel reads the size on the device and writes the elements to host memory.
  device_copy_kernel,
  /// A graph in which a kernel chooses one of several copies.
  graph_switch,
  /// A graph with a loop that copies tile after tile.
  graph_while_tiles,
  /// The host waits for the size, gives it to the copy of a graph, and launches that.
  graph_update,
  /// A graph in which one kernel gives another the grid that the size needs.
  graph_device_update
};

inline constexpr std::array<std::string_view, 10> chain_strategy_names{
    "stale_arguments", "callback_illegal",   "stream_sync",  "host_func_worker",
    "copy_capacity",   "device_copy_kernel", "graph_switch", "graph_while_tiles",
    "graph_update",    "graph_device_update"};

/// Performs one request at a time in the copy stream that it was made for. Not thread-safe.
class Chain {
 public:
  Chain() = default;
  virtual ~Chain() = default;
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;
  Chain(Chain&&) = delete;
  Chain& operator=(Chain&&) = delete;

  /// Begins behind the work that is in the stream. Whether it blocks the host is the strategy's
  /// affair. The request's memory must outlive finish().
  virtual void start(const ChainRequest& request) = 0;

  /// Blocks until both copies have arrived, whether or not the second was enqueued when finish()
  /// was called. Throws CudaError when work before or in the chain has failed.
  virtual void finish() = 0;

  /// True when CUDA refused to do the second copy. Only callback_illegal ever is.
  [[nodiscard]] virtual bool refused() const { return false; }
};

[[nodiscard]] std::unique_ptr<Chain> make_chain(ChainStrategy strategy, StreamView stream);

/// What the toolkit or a driver of this version (12080 is 12.8) lacks for a strategy, in one line;
/// nothing when it can be used.
[[nodiscard]] std::optional<std::string> lacks_chain_strategy(ChainStrategy strategy,
                                                              int driver_version);

/// How many elements arrive when the device says `size` and host memory said `old_size` before.
[[nodiscard]] std::size_t elements_delivered(ChainStrategy strategy, std::size_t size,
                                             std::size_t old_size, std::size_t capacity);

/// Whether a strategy does what was asked. The others are there to be seen failing.
[[nodiscard]] bool is_correct(ChainStrategy strategy);

/// What a row of a strategy that is not correct is labelled with; empty for the others.
[[nodiscard]] std::string outcome_label(ChainStrategy strategy, bool refused);

}  // namespace copybench
