// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "common/cuda/stream.hpp"
#include "common/measurement/call_observer.hpp"
#include "common/measurement/gate.hpp"
#include "common/measurement/hold.hpp"
#include "common/measurement/measurement.hpp"

namespace copybench {

/// What the call meets: a drained stream; a gate in front of it in its own stream; or a drained
/// stream and a gate in another one of the same device.
enum class Queue { idle, busy, busy_elsewhere };
inline constexpr std::array<std::string_view, 3> queue_names{"idle", "busy", "busy_elsewhere"};

/// Takes the figures of one call, again and again:
///   blocked                    from entering the call to its return
///   completion                 from entering the call until its stream is drained
///   blocked_after_opening      the same two from the opening of the gate on: the part that is not
///   completion_after_opening   the hold. Only behind a gate in the call's own stream
///
/// Not thread-safe.
class BlockedCall {
 public:
  /// `elsewhere` is the stream that the gate is in for Queue::busy_elsewhere.
  BlockedCall(Queue queue, StreamView stream, StreamView elsewhere, Gate& gate)
      : queue_(queue), stream_(stream), elsewhere_(elsewhere), gate_(gate) {}

  [[nodiscard]] std::span<const std::string_view> figures() const;
  /// The blocked time is a case's time.
  static constexpr std::size_t tracked = 0;

  /// Fewest samples whose median is worth tracking: the call into a large pinned copy is a
  /// thousandth of its sample, and the noisiest part.
  static constexpr std::size_t least_samples = 15;

  /// How long gates stay closed follows from the size, not from a measurement, because it is part
  /// of the figure of a call that does wait. A call that is merely long must be back before the
  /// gate opens, or it would look like one that waits for it: only on a host that is far slower
  /// than any known is the hold made longer, for which the call is made three times on a drained
  /// stream. To be called before the first sample; later calls do nothing.
  template <typename Call>
  void choose_hold(std::size_t bytes, const Call& call);

  /// Makes the call once. `durations` has a place for each figure.
  template <typename Call>
  void sample(std::span<Nanoseconds> durations, const Call& call);

  /// The verdict, and counters: behind a gate most_hold_ns and waited_for_queue_fraction, beside
  /// one in another stream also completed_before_opening_fraction.
  [[nodiscard]] Findings conclude(std::span<const Summary> summaries) const;
  /// The time in which the copy itself was done, for the rate of it.
  [[nodiscard]] Nanoseconds copied_in(std::span<const Summary> summaries) const;

 private:
  enum Figure : std::size_t {
    blocked,
    completion,
    blocked_after_opening,
    completion_after_opening
  };
  static constexpr std::size_t idle_figures = 2;

  [[nodiscard]] static Nanoseconds hold_for(std::size_t bytes);
  void finish_idle(std::span<Nanoseconds> durations, TimePoint begin, TimePoint returned);
  void finish_busy(std::span<Nanoseconds> durations, TimePoint begin, TimePoint returned);
  void finish_busy_elsewhere(std::span<Nanoseconds> durations, TimePoint begin, TimePoint returned);

  Queue queue_;
  StreamView stream_;
  StreamView elsewhere_;
  Gate& gate_;
  Nanoseconds hold_{0};
  // Over all calls made, those of batches that were taken anew as well.
  std::size_t samples_ = 0;
  std::size_t returned_after_opening_ = 0;
  std::size_t completed_before_opening_ = 0;
};

template <typename Call>
void BlockedCall::choose_hold(std::size_t bytes, const Call& call) {
  if (queue_ == Queue::idle || hold_ != Nanoseconds{0}) {
    return;
  }
  hold_ = hold_beyond(hold_for(bytes), [&] {
    const TimePoint begin = now();
    call();
    const Nanoseconds took = now() - begin;
    stream_.sync();
    return took;
  });
}

template <typename Call>
void BlockedCall::sample(std::span<Nanoseconds> durations, const Call& call) {
  const OpenOnExit guard(gate_);
  if (queue_ != Queue::idle) {
    gate_.close(queue_ == Queue::busy ? stream_ : elsewhere_);
    gate_.start_hold(hold_);
  }
  TimePoint begin;
  TimePoint returned;
  {
    const ObservedCall observed;
    begin = now();
    call();
    returned = now();
  }
  switch (queue_) {
    case Queue::idle:
      finish_idle(durations, begin, returned);
      break;
    case Queue::busy:
      finish_busy(durations, begin, returned);
      break;
    case Queue::busy_elsewhere:
      finish_busy_elsewhere(durations, begin, returned);
      break;
  }
  ++samples_;
}

}  // namespace copybench
