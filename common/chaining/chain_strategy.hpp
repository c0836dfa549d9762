// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace copybench {

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
  /// The bound: the host knows the size beforehand (`expected`), and there is one copy.
  known_size,
  /// As stream_sync, but the host waits for an event: burning its core, or asleep.
  event_sync_spin,
  event_sync_blocking,
  /// As host_func_worker, but the thread waits for an atomic variable, or burns a core.
  host_func_atomic_wait,
  host_func_spin,
  /// A thread asks an event behind the first copy until it has happened.
  event_poll_worker,
  /// A stream memory operation behind the first copy writes a flag to mapped memory, and a thread
  /// looks at that until it is there.
  write_value_worker,
  /// A kernel writes the size to mapped memory, and a thread looks at that until it is there.
  mapped_size_worker,
  /// The same, and finish() looks as well: the first to see the size enqueues the second copy.
  mapped_size_shared,
  /// No thread: finish() asks the event or looks at mapped memory, and enqueues the second copy.
  event_poll_spin,
  write_value_spin,
  mapped_size_spin,
  /// Copies `expected` elements at once behind the size, and finish() the rest if there are more.
  speculative_top_up,
  /// A thread does all of stream_sync, or of speculative_top_up; the caller makes no CUDA call.
  offloaded_sync,
  offloaded_speculative,
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

inline constexpr std::array<std::string_view, 25> chain_strategy_names{
    "stale_arguments",       "callback_illegal",   "stream_sync",       "host_func_worker",
    "copy_capacity",         "known_size",         "event_sync_spin",   "event_sync_blocking",
    "host_func_atomic_wait", "host_func_spin",     "event_poll_worker", "write_value_worker",
    "mapped_size_worker",    "mapped_size_shared", "event_poll_spin",   "write_value_spin",
    "mapped_size_spin",      "speculative_top_up", "offloaded_sync",    "offloaded_speculative",
    "device_copy_kernel",    "graph_switch",       "graph_while_tiles", "graph_update",
    "graph_device_update"};

/// What the toolkit or a driver of this version (12080 is 12.8) lacks for a strategy, in one line;
/// nothing when it can be used.
[[nodiscard]] std::optional<std::string> lacks_chain_strategy(ChainStrategy strategy,
                                                              int driver_version);

/// How many elements arrive when the device says `size`, host memory said `old_size` before, and
/// the request expected so many. More than `size` when the strategy writes past it; known_size is
/// taken to have expected that.
[[nodiscard]] std::size_t elements_delivered(ChainStrategy strategy, std::size_t size,
                                             std::size_t old_size, std::size_t capacity,
                                             std::size_t expected = 0);

/// Whether elements between the size and the capacity may change. The other correct strategies
/// leave them alone.
[[nodiscard]] bool may_write_past_size(ChainStrategy strategy);

/// Whether a strategy does what was asked. The others are there to be seen failing.
[[nodiscard]] bool is_correct(ChainStrategy strategy);

/// Whether start() waits for the size, and so for all that is in front of it. The others return at
/// once, whatever the stream is doing.
[[nodiscard]] bool waits_in_start(ChainStrategy strategy);

/// What a row of a strategy that is not correct is labelled with; empty for the others.
[[nodiscard]] std::string outcome_label(ChainStrategy strategy, bool refused);

}  // namespace copybench
