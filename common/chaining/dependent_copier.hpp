// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <type_traits>

#include "common/chaining/chain.hpp"
#include "common/cuda/buffer.hpp"

namespace copybench {

/// The strategy to recommend: the one line to change. Chosen for what it does, which is to hold up
/// nobody: start() makes one launch, whoever sees the size first goes on, and nothing past it is
/// written. On an H200 it delivered 16 elements 1.9 us after the copy of a size that is known, and
/// started the next kernel 1.9 us later than no copy at all would have (results/, chains.json.gz of
/// 2026-12-01-b).
inline constexpr ChainStrategy recommended_strategy = ChainStrategy::mapped_size_shared;

/// Copies N elements from the device to the host where N is on the device as well, without waiting
/// for it:
///
///     DependentCopier copier(copy_stream);
///     // A kernel in another stream writes *device_size and device_data; `written` is behind it.
///     wait(copy_stream, written);
///     copier.start(device_size, device_data, host_data);
///     // Launch the next kernel, do what else there is to do.
///     for (const float value : copier.finish<float>()) { ... }
///
/// Until finish() nothing else may be enqueued in the stream, and all of the memory must live.
/// `host_data` is pinned memory with room for all that N may be; nothing past N is written, unless
/// the strategy says otherwise (may_write_past_size). One copy at a time; several copiers with a
/// stream each work side by side. Not thread-safe.
class DependentCopier {
 public:
  /// Throws CudaError, std::invalid_argument for a strategy that does not do it (known_size and
  /// those that are not correct) or not in this stream (make_chain()), and std::system_error where
  /// there is no thread to be had. Most strategies own a thread: a copier is to be made once and
  /// used again.
  explicit DependentCopier(StreamView stream, ChainStrategy strategy = recommended_strategy);

  /// Begins behind what is in the stream. Throws CudaError, and std::invalid_argument where the
  /// strategy's kernels do not know elements of this size.
  template <typename T>
  void start(const std::int32_t* device_size, const T* device_data, std::span<T> host_data) {
    static_assert(std::is_trivially_copyable_v<T>);
    start({device_size, host_size(), reinterpret_cast<const double*>(device_data),
           reinterpret_cast<double*>(host_data.data()), host_data.size(), last_size_, sizeof(T)});
  }

  /// Waits for the elements, and returns them. Throws CudaError within milliseconds when work in
  /// front of the copy has failed, and std::out_of_range when N is negative or more than there is
  /// room for, whatever the strategy, and again what start() or the last finish() has thrown;
  /// std::invalid_argument for a T of another size than start()'s; std::logic_error before any
  /// start().
  template <typename T>
  [[nodiscard]] std::span<T> finish() {
    return {reinterpret_cast<T*>(request_.host_data), finish_size(sizeof(T))};
  }

 private:
  void start(const ChainRequest& request);
  [[nodiscard]] std::size_t finish_size(std::size_t element_bytes);
  [[nodiscard]] std::int32_t* host_size() const;

  Buffer host_size_;
  ChainRequest request_{};
  // Why there are no elements, whoever asks how often: what start() or finish() has met.
  std::exception_ptr failure_;
  /// What a strategy that guesses begins with.
  std::size_t last_size_ = 0;
  /// The last member: it uses the others until it is destroyed.
  std::unique_ptr<Chain> chain_;
};

}  // namespace copybench
