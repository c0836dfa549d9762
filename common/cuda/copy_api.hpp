// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include <cuda_runtime_api.h>

#include "common/cuda/copy.hpp"
#include "common/cuda/stream.hpp"

namespace copybench {

/// Calls that ask for the same copy. Those without "async" are ordered in the legacy stream,
/// whatever the stream.
enum class CopyApi {
  memcpy,
  memcpy_async,
  memcpy_2d,
  memcpy_2d_async,
  memcpy_3d_async,
  /// cudaMemcpyToSymbolAsync. The destination is symbol().
  memcpy_to_symbol_async,
  /// cudaMemcpyBatchAsync of one copy, by its srcAccessOrder. New in CUDA 12.8.
  memcpy_batch_stream,
  memcpy_batch_during_call,
  memcpy_batch_any,
  /// cudaGraphLaunch of a graph of one copy node.
  graph_launch
};

inline constexpr std::array<std::string_view, 10> copy_api_names{"memcpy",
                                                                 "memcpy_async",
                                                                 "memcpy_2d",
                                                                 "memcpy_2d_async",
                                                                 "memcpy_3d_async",
                                                                 "memcpy_to_symbol_async",
                                                                 "memcpy_batch_stream",
                                                                 "memcpy_batch_during_call",
                                                                 "memcpy_batch_any",
                                                                 "graph_launch"};

/// How the bytes of a copy lie on both sides: `rows` rows of `width` bytes, which begin `pitch`
/// bytes apart. One row but for the 2D and 3D forms, whose rows have gaps as wide as themselves.
struct CopyLayout {
  std::size_t width;
  std::size_t pitch;
  std::size_t rows;

  /// From the first byte to the last, the last gap included.
  [[nodiscard]] std::size_t extent() const { return pitch * rows; }
};

/// Rows of 1 KiB. A number of bytes that is no multiple of it is one row.
[[nodiscard]] CopyLayout copy_layout(CopyApi api, std::size_t bytes);

/// Whether both the toolkit that this was built with and a driver of this version (13000 is 13.0)
/// have the call.
[[nodiscard]] bool has_copy_api(CopyApi api, int driver_version);
/// What is missing for the call, in one line; nothing where has_copy_api().
[[nodiscard]] std::optional<std::string> lacks_copy_api(CopyApi api, int driver_version);

/// One copy, with all that its call needs made beforehand but for the small structures that the 3D
/// and the batch form take, which a program fills in before each call as well. Throws CudaError.
class PreparedCopy {
 public:
  /// The pointers must have room for copy_layout(api, bytes).extent() bytes.
  PreparedCopy(CopyApi api, std::byte* destination, const std::byte* source, std::size_t bytes,
               Direction direction, StreamView stream);

  /// Makes the call once. Only enqueues where the API only enqueues.
  void operator()() const;

 private:
  struct DestroyGraph {
    void operator()(cudaGraphExec_t graph) const noexcept;
  };
  void instantiate_graph();
  void call_batch() const;
  void call_3d() const;

  CopyApi api_;
  std::byte* destination_;
  const std::byte* source_;
  CopyLayout layout_;
  cudaMemcpyKind kind_;
  cudaStream_t stream_;
  std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, DestroyGraph> graph_;
};

/// Where symbol() is in the current device's memory.
[[nodiscard]] std::byte* symbol_address();

}  // namespace copybench
