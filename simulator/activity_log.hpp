// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "common/timeline/activity.hpp"

namespace copybench::simulator {

/// Numbers the call that the calling thread is in, and records it when it ends. Nothing is recorded
/// before the first ActivityRecorder is made, and nothing but a look at that is paid for.
class RecordedCall {
 public:
  /// `api` is a literal.
  explicit RecordedCall(const char* api) noexcept;
  ~RecordedCall();
  RecordedCall(const RecordedCall&) = delete;
  RecordedCall& operator=(const RecordedCall&) = delete;
  RecordedCall(RecordedCall&&) = delete;
  RecordedCall& operator=(RecordedCall&&) = delete;

 private:
  const char* api_ = nullptr;
  TimePoint begin_{};
};

/// The number of the call that the calling thread is in; 0 for none, or while nothing is recorded.
[[nodiscard]] std::uint64_t current_call() noexcept;

/// Says to what the work belongs that the calling thread does from now on: it is a stream's.
void begin_work_of(std::uint64_t stream, std::uint64_t call) noexcept;

/// Records what a stream does while it lives, on the stream's thread.
class RecordedWork {
 public:
  /// `name` is a literal.
  RecordedWork(ActivityKind kind, const char* name, std::size_t bytes = 0) noexcept;
  ~RecordedWork();
  RecordedWork(const RecordedWork&) = delete;
  RecordedWork& operator=(const RecordedWork&) = delete;
  RecordedWork(RecordedWork&&) = delete;
  RecordedWork& operator=(RecordedWork&&) = delete;

 private:
  ActivityKind kind_;
  const char* name_ = nullptr;
  std::size_t bytes_;
  TimePoint begin_{};
};

}  // namespace copybench::simulator
