// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "common/chaining/chain_strategy.hpp"
#include "common/cuda/stream.hpp"

namespace copybench {

/// Two copies to the host, the second as long as the first says: *host_size elements of
/// `host_data`. Host pointers are pinned memory.
struct ChainRequest {
  const std::int32_t* device_size = nullptr;
  std::int32_t* host_size = nullptr;
  const double* device_data = nullptr;
  double* host_data = nullptr;
  /// Most elements that the size may name.
  std::size_t capacity = 0;
  /// What the caller takes the size to be before the device has said so: known_size relies on it,
  /// those that speculate begin with it, the others do not look at it.
  std::size_t expected = 0;
  /// Bytes of one element, which need not be a double. The strategies in which the device decides
  /// copy doubles alone, and start() throws std::invalid_argument for anything else.
  std::size_t element_bytes = sizeof(double);
};

/// Performs one request at a time in the copy stream that it was made for: between start() and
/// finish() nothing else may be enqueued there, for the second copy may be enqueued as late as in
/// finish(). Destroying it finishes a request in flight. When a part of it is refused, what was
/// enqueued of the rest has run before that is thrown: the request's memory is free again.
/// Not thread-safe.
class Chain {
 public:
  explicit Chain(StreamView stream) : stream_(stream) {}
  virtual ~Chain() = default;
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;
  Chain(Chain&&) = delete;
  Chain& operator=(Chain&&) = delete;

  /// Begins behind the work that is in the stream. Whether it blocks the host is the strategy's
  /// affair (waits_in_start()). The request's memory must outlive finish(). Throws CudaError;
  /// std::invalid_argument for elements that the strategy cannot copy; and std::out_of_range, where
  /// the size is known here, for one that there is no room for.
  void start(const ChainRequest& request);

  /// Blocks until both copies have arrived, whether or not the second was enqueued when finish()
  /// was called. Throws CudaError when work before or in the chain has failed, within milliseconds
  /// of the failure, and std::out_of_range for a size that there is no room for: but not
  /// copy_capacity, stale_arguments and known_size, which do not look at what the device says.
  void finish();

  /// True when CUDA refused to do the second copy. Only callback_illegal ever is.
  [[nodiscard]] virtual bool refused() const { return false; }

 protected:
  [[nodiscard]] StreamView stream() const { return stream_; }
  /// For destructors, which have nobody to tell: the chain is over then, one way or the other.
  void finish_quietly() noexcept;

 private:
  virtual void begin(const ChainRequest& request) = 0;
  virtual void complete() = 0;

  StreamView stream_;
};

/// Throws CudaError, std::system_error where there is no thread to be had, and
/// std::invalid_argument for a strategy with a thread that enqueues (host_func_*, *_worker,
/// mapped_size_shared, offloaded_*) where the stream is cudaStreamPerThread: that is another stream
/// in each thread.
[[nodiscard]] std::unique_ptr<Chain> make_chain(ChainStrategy strategy, StreamView stream);

}  // namespace copybench
