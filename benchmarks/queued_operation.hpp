// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "common/cuda/event.hpp"
#include "common/cuda/stream.hpp"
#include "common/suite/family.hpp"
#include "common/suite/fixtures.hpp"

namespace copybench {

/// What a queue can be filled with.
enum class QueuedOperation {
  copy_h2d,
  copy_d2h,
  copy_pageable_h2d,
  copy_pageable_h2d_64kib,
  kernel,
  event_record,
  host_func
};
inline constexpr std::array<std::string_view, 7> queued_operation_names{
    "copy_h2d", "copy_d2h",     "copy_pageable_h2d", "copy_pageable_h2d_64kib",
    "kernel",   "event_record", "host_func"};

/// One operation that can be enqueued any number of times, into each of `streams` streams. Copies
/// are of 64 bytes unless their name says more; all those of a stream move the same bytes, and no
/// other stream's: of two streams nobody knows whose copy would be the last.
class OperationToQueue {
 public:
  OperationToQueue(QueuedOperation operation, std::size_t streams, Fixtures& fixtures);

  [[nodiscard]] static MemoryNeeds memory_needs(QueuedOperation operation, std::size_t streams);

  /// Gives the copies something to move.
  void prepare(std::uint64_t seed);
  /// `number` is the stream's, counted from 0; they have to be begun with in this order. Throws
  /// CudaError.
  void enqueue_into(StreamView stream, std::size_t number);
  /// Throws VerificationError when a copy was made and its bytes are wrong.
  void verify(std::uint64_t seed);

 private:
  [[nodiscard]] bool is_copy() const {
    return operation_ <= QueuedOperation::copy_pageable_h2d_64kib;
  }
  [[nodiscard]] const Region& source() const {
    return operation_ == QueuedOperation::copy_d2h ? device_ : host_;
  }
  [[nodiscard]] const Region& destination() const {
    return operation_ == QueuedOperation::copy_d2h ? host_ : device_;
  }

  QueuedOperation operation_;
  Region host_;
  Region device_;
  Verifier& verifier_;
  // Streams that something was enqueued into since prepare().
  std::size_t begun_ = 0;
  Event recorded_;
};

}  // namespace copybench
