// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "common/cuda/copy_api.hpp"
#include "common/cuda/stream.hpp"
#include "common/measurement/clock.hpp"
#include "common/measurement/helper_thread.hpp"
#include "common/measurement/verification.hpp"

namespace copybench {

/// An event that is made, recorded and destroyed takes the place of a copy: what an allocator does
/// that remembers the use of its blocks.
enum class EnqueuedApi { memcpy_async, memcpy_batch_stream, event_create };

inline constexpr std::array<std::string_view, 3> enqueued_api_names{
    "memcpy_async", "memcpy_batch_stream", "event_create"};

[[nodiscard]] constexpr CopyApi copy_api(EnqueuedApi api) {
  return api == EnqueuedApi::memcpy_batch_stream ? CopyApi::memcpy_batch_stream
                                                 : CopyApi::memcpy_async;
}

/// A thread with a stream of its own that enqueues into it, and takes the time of each call.
class Enqueuer {
 public:
  /// Few enough for the queue of a stream.
  static constexpr std::size_t calls = 200;
  static constexpr std::size_t copy_bytes = std::size_t{4} << 10U;

  /// Regions of copy_bytes bytes, pinned and on the device.
  Enqueuer(EnqueuedApi api, const Region& source, const Region& destination);

  void prepare(Verifier& verifier, std::uint64_t seed);
  /// Throws VerificationError when the copies, if there were any, did not arrive.
  void verify(Verifier& verifier, std::uint64_t seed);

  /// The calls begin when `expected` threads have come to `arrived`, which must outlive join().
  void start(std::atomic<std::size_t>& arrived, std::size_t expected);
  /// Throws what a call threw.
  void join() { thread_.join_job(); }
  void sync() const { stream_.sync(); }

  // Of the last round.
  [[nodiscard]] std::span<const Nanoseconds> durations() const { return durations_; }
  [[nodiscard]] TimePoint begin() const { return begin_; }
  [[nodiscard]] TimePoint end() const { return end_; }

 private:
  void enqueue();

  Region source_;
  Region destination_;
  Stream stream_{StreamKind::nonblocking};
  PreparedCopy copy_;
  bool copies_;
  std::vector<Nanoseconds> durations_;
  TimePoint begin_;
  TimePoint end_;
  // The last member: its job uses the others.
  HelperThread thread_;
};

}  // namespace copybench
