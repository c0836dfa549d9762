// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <thread>

#include "common/cuda/buffer.hpp"
#include "common/cuda/stream.hpp"
#include "common/kernels.hpp"
#include "common/measurement/clock.hpp"

namespace copybench {

/// The gate's kernel gave up by itself: the sample behind it means nothing.
class GateError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Holds a stream: a kernel spins on a flag in mapped host memory until a thread of the gate's own
/// stores to it. That thread opens at a deadline of the host's clock, or earlier on request, so the
/// thread under measurement may block behind the gate without a deadlock, and both times are on one
/// clock: a call that returned after `opened_at` had waited for the queue. The kernel has a timeout
/// of its own. Not thread-safe. Drain the stream between open() and the next close(): the kernel
/// may not have seen the flag yet.
///
///     gate.close(stream);
///     gate.start_hold(2ms);         // the countdown begins
///     const TimePoint begin = now();
///     ...the call under measurement...
///     const TimePoint end = now();
///     const TimePoint opened_at = gate.open();
///     stream.sync();
///     gate.require_opened_by_host();
class Gate {
 public:
  /// Launches the kernel that spins; gets the flags' device address and the timeout to obey.
  using Launch = std::function<void(GateFlags* flags, std::uint64_t timeout_ns)>;

  Gate();
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  Gate(Gate&&) = delete;
  Gate& operator=(Gate&&) = delete;

  /// Returns once the kernel spins on the device. Throws GateError when it does not within seconds,
  /// and CudaError when work in front of it has failed. `launch` enqueues into `stream`.
  void close(StreamView stream);
  void close(StreamView stream, const Launch& launch);

  /// To be called on a closed gate alone. Starts the countdown; the gate opens when it ends. Costs
  /// two stores to memory.
  void start_hold(Nanoseconds hold);

  /// Opens now unless the countdown has ended already. Returns when the flag was stored. Harmless
  /// on an open gate.
  TimePoint open() noexcept;

  /// Whether the countdown has ended. Nothing but a load, for use between two calls; not after
  /// open().
  [[nodiscard]] bool is_open() const noexcept { return state_ == State::opened; }

  /// Throws GateError when the kernel ended by its timeout. Call it after the stream is drained.
  void require_opened_by_host() const;

 private:
  enum class State : std::uint32_t { idle, armed, counting, opening, opened, quitting };

  void serve();
  void wait_for_start(StreamView stream) const;
  [[nodiscard]] GateFlags* flags() const;

  Buffer memory_;
  std::atomic<State> state_{State::idle};
  std::atomic<TimePoint> deadline_{};
  std::atomic<TimePoint> opened_at_{};
  std::jthread opener_;
};

/// Opens the gate when a scope is left, by an exception too: a drain must never meet a closed gate.
class OpenOnExit {
 public:
  explicit OpenOnExit(Gate& gate) : gate_(gate) {}
  ~OpenOnExit() { (void)gate_.open(); }
  OpenOnExit(const OpenOnExit&) = delete;
  OpenOnExit& operator=(const OpenOnExit&) = delete;
  OpenOnExit(OpenOnExit&&) = delete;
  OpenOnExit& operator=(OpenOnExit&&) = delete;

 private:
  Gate& gate_;
};

}  // namespace copybench
