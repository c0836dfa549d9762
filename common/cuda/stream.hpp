// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <type_traits>

#include <cuda_runtime_api.h>

namespace copybench {

/// legacy and per_thread are CUDA's two default streams. A blocking stream waits for earlier work
/// in the legacy stream and holds up later work there; a nonblocking one does neither.
enum class StreamKind { legacy, per_thread, blocking, nonblocking };

inline constexpr std::array<std::string_view, 4> stream_kind_names{"legacy", "per_thread",
                                                                   "blocking", "nonblocking"};

/// A stream that somebody else owns. Copy it freely.
class StreamView {
 public:
  explicit StreamView(cudaStream_t stream) noexcept : stream_(stream) {}

  [[nodiscard]] cudaStream_t get() const noexcept { return stream_; }
  /// Blocks the calling thread until everything enqueued so far has run.
  void sync() const;
  [[nodiscard]] bool is_done() const;

 private:
  cudaStream_t stream_;
};

/// Owner of a stream, or a handle of a default stream, which needs no owner.
class Stream {
 public:
  explicit Stream(StreamKind kind);

  [[nodiscard]] StreamView view() const noexcept { return StreamView(stream_); }
  // Passing an owner where a view is wanted is what every caller does.
  operator StreamView() const noexcept { return view(); }  // NOLINT(google-explicit-constructor)
  [[nodiscard]] cudaStream_t get() const noexcept { return stream_; }
  void sync() const { view().sync(); }

 private:
  struct Destroy {
    void operator()(cudaStream_t stream) const noexcept;
  };
  std::unique_ptr<std::remove_pointer_t<cudaStream_t>, Destroy> owned_;
  cudaStream_t stream_ = nullptr;
};

}  // namespace copybench
