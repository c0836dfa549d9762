// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "common/cuda/buffer.hpp"
#include "common/cuda/event.hpp"
#include "common/cuda/stream.hpp"
#include "common/measurement/verification.hpp"

namespace copybench {

/// Calls that a thread makes while others use the device. Those that create something destroy it as
/// well where the name says only the former.
enum class Operation {
  copy_pinned_h2d,
  copy_pinned_d2h,
  copy_pageable_h2d,
  launch,
  event_record,
  event_query,
  stream_query,
  event_create,
  host_func,
  malloc,
  free,
  malloc_async,
  free_async,
  /// cudaFree of memory that cudaMallocAsync gave.
  free_of_async,
  host_alloc,
  free_host,
  register_memory,
  unregister,
  malloc_managed,
  stream_create
};

inline constexpr std::array<std::string_view, 20> operation_names{"copy_pinned_h2d",
                                                                  "copy_pinned_d2h",
                                                                  "copy_pageable_h2d",
                                                                  "launch",
                                                                  "event_record",
                                                                  "event_query",
                                                                  "stream_query",
                                                                  "event_create",
                                                                  "host_func",
                                                                  "malloc",
                                                                  "free",
                                                                  "malloc_async",
                                                                  "free_async",
                                                                  "free_of_async",
                                                                  "host_alloc",
                                                                  "free_host",
                                                                  "register",
                                                                  "unregister",
                                                                  "malloc_managed",
                                                                  "stream_create"};

/// One such call, to be made again and again in a stream of its own: prepare(), then call(), then
/// finish(). Allocations are of 1 MiB, copies of 4 KiB. Not thread-safe.
class PreparedOperation {
 public:
  PreparedOperation(Operation operation, StreamView stream, Verifier& verifier);
  ~PreparedOperation();
  PreparedOperation(const PreparedOperation&) = delete;
  PreparedOperation& operator=(const PreparedOperation&) = delete;
  PreparedOperation(PreparedOperation&&) = delete;
  PreparedOperation& operator=(PreparedOperation&&) = delete;

  /// Gives a copy its bytes. Nothing for the others.
  void fill(std::uint64_t seed);
  /// Makes what the call needs, such as the memory that it frees. The stream is drained after it.
  void prepare();
  /// The call alone.
  void call();
  /// Gives back what the call has made, and drains the stream. Waits for whatever giving back waits
  /// for, so not to be called while another stream is held.
  void finish();
  /// Throws VerificationError unless a copy has delivered its bytes. Nothing for the others.
  void verify();

  static constexpr std::size_t allocation_bytes = std::size_t{1} << 20U;
  static constexpr std::size_t copy_bytes = std::size_t{4} << 10U;

 private:
  struct Steps;
  struct Objects;
  [[nodiscard]] static const Steps& steps_of(Operation operation);

  const Steps& steps_;
  std::unique_ptr<Objects> objects_;
  Verifier& verifier_;
  std::uint64_t seed_ = 0;
};

}  // namespace copybench
