// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/queued_operation.hpp"

#include <algorithm>

#include "common/cuda/check.hpp"
#include "common/cuda/copy.hpp"

namespace copybench {
namespace {

constexpr std::size_t copy_bytes(QueuedOperation operation) {
  return operation == QueuedOperation::copy_pageable_h2d_64kib ? 65536 : 64;
}

constexpr MemoryKind host_kind(QueuedOperation operation) {
  return operation == QueuedOperation::copy_pageable_h2d ||
                 operation == QueuedOperation::copy_pageable_h2d_64kib
             ? MemoryKind::pageable
             : MemoryKind::pinned;
}

void CUDART_CB do_nothing(void* /*unused*/) {}

}  // namespace

OperationToQueue::OperationToQueue(QueuedOperation operation, std::size_t streams,
                                   Fixtures& fixtures)
    : operation_(operation),
      host_(fixtures.region(host_kind(operation), Role::source, streams * copy_bytes(operation))),
      device_(
          fixtures.region(MemoryKind::device, Role::destination, streams * copy_bytes(operation))),
      verifier_(fixtures.verifier()) {}

MemoryNeeds OperationToQueue::memory_needs(QueuedOperation operation, std::size_t streams) {
  return {{host_kind(operation), streams * copy_bytes(operation)},
          {MemoryKind::device, streams * copy_bytes(operation)}};
}

void OperationToQueue::prepare(std::uint64_t seed) {
  begun_ = 0;
  if (is_copy()) {
    verifier_.fill(source(), seed);
    verifier_.poison(destination());
  }
}

void OperationToQueue::enqueue_into(StreamView stream, std::size_t number) {
  begun_ = std::max(begun_, number + 1);
  const std::size_t bytes = copy_bytes(operation_);
  const std::size_t offset = number * bytes;
  switch (operation_) {
    case QueuedOperation::copy_h2d:
    case QueuedOperation::copy_pageable_h2d:
    case QueuedOperation::copy_pageable_h2d_64kib:
      copy_async(device_.data + offset, host_.data + offset, bytes, Direction::h2d, stream);
      return;
    case QueuedOperation::copy_d2h:
      copy_async(host_.data + offset, device_.data + offset, bytes, Direction::d2h, stream);
      return;
    case QueuedOperation::kernel:
      launch_timed_gate(stream, 0);
      return;
    case QueuedOperation::event_record:
      recorded_.record(stream);
      return;
    case QueuedOperation::host_func:
      check(cudaLaunchHostFunc(stream.get(), do_nothing, nullptr), "cudaLaunchHostFunc");
      return;
  }
}

void OperationToQueue::verify(std::uint64_t seed) {
  if (is_copy()) {
    verifier_.verify_prefix(destination(), begun_ * copy_bytes(operation_), seed);
  }
}

}  // namespace copybench
