// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/copy_api.hpp"

#include "common/cuda/check.hpp"
#include "common/kernels.hpp"

namespace copybench {
namespace {

constexpr std::size_t row_bytes = 1024;
// What a 3D copy calls a slice.
constexpr std::size_t rows_per_slice = 4;

bool has_gaps(CopyApi api) {
  return api == CopyApi::memcpy_2d || api == CopyApi::memcpy_2d_async ||
         api == CopyApi::memcpy_3d_async;
}

bool is_batch(CopyApi api) {
  return api == CopyApi::memcpy_batch_stream || api == CopyApi::memcpy_batch_during_call ||
         api == CopyApi::memcpy_batch_any;
}

#if CUDART_VERSION >= 12080
cudaMemcpySrcAccessOrder access_order(CopyApi api) {
  switch (api) {
    case CopyApi::memcpy_batch_during_call:
      return cudaMemcpySrcAccessOrderDuringApiCall;
    case CopyApi::memcpy_batch_any:
      return cudaMemcpySrcAccessOrderAny;
    default:
      return cudaMemcpySrcAccessOrderStream;
  }
}
#endif

}  // namespace

CopyLayout copy_layout(CopyApi api, std::size_t bytes) {
  if (!has_gaps(api) || bytes == 0) {
    return {bytes, bytes, 1};
  }
  const bool fills_rows = bytes % row_bytes == 0;
  const std::size_t width = fills_rows ? row_bytes : bytes;
  return {width, 2 * width, bytes / width};
}

bool has_copy_api(CopyApi api, int driver_version) {
  constexpr int first_with_batches = 12080;
  return !is_batch(api) ||
         (CUDART_VERSION >= first_with_batches && driver_version >= first_with_batches);
}

std::optional<std::string> lacks_copy_api(CopyApi api, int driver_version) {
  if (has_copy_api(api, driver_version)) {
    return std::nullopt;
  }
  return "needs CUDA 12.8, which the toolkit or the driver lacks";
}

PreparedCopy::PreparedCopy(CopyApi api, std::byte* destination, const std::byte* source,
                           std::size_t bytes, Direction direction, StreamView stream)
    : api_(api),
      destination_(destination),
      source_(source),
      layout_(copy_layout(api, bytes)),
      kind_(memcpy_kind(direction)),
      stream_(stream.get()) {
  if (api == CopyApi::graph_launch) {
    instantiate_graph();
  }
}

void PreparedCopy::DestroyGraph::operator()(cudaGraphExec_t graph) const noexcept {
  (void)cudaGraphExecDestroy(graph);
}

void PreparedCopy::instantiate_graph() {
  cudaGraph_t graph = nullptr;
  check(cudaGraphCreate(&graph, 0), "cudaGraphCreate");
  const std::unique_ptr<std::remove_pointer_t<cudaGraph_t>,
                        decltype([](cudaGraph_t owned) { (void)cudaGraphDestroy(owned); })>
      owner(graph);
  cudaGraphNode_t node = nullptr;
  check(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, destination_, source_, layout_.width,
                                 kind_),
        "cudaGraphAddMemcpyNode1D");
  cudaGraphExec_t executable = nullptr;
  check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
  graph_.reset(executable);
}

void PreparedCopy::operator()() const {
  const auto& [width, pitch, rows] = layout_;
  switch (api_) {
    case CopyApi::memcpy:
      check(cudaMemcpy(destination_, source_, width, kind_), "cudaMemcpy");
      return;
    case CopyApi::memcpy_async:
      check(cudaMemcpyAsync(destination_, source_, width, kind_, stream_), "cudaMemcpyAsync");
      return;
    case CopyApi::memcpy_2d:
      check(cudaMemcpy2D(destination_, pitch, source_, pitch, width, rows, kind_), "cudaMemcpy2D");
      return;
    case CopyApi::memcpy_2d_async:
      check(cudaMemcpy2DAsync(destination_, pitch, source_, pitch, width, rows, kind_, stream_),
            "cudaMemcpy2DAsync");
      return;
    case CopyApi::memcpy_3d_async:
      call_3d();
      return;
    case CopyApi::memcpy_to_symbol_async:
      check(cudaMemcpyToSymbolAsync(symbol(), source_, width, 0, kind_, stream_),
            "cudaMemcpyToSymbolAsync");
      return;
    case CopyApi::memcpy_batch_stream:
    case CopyApi::memcpy_batch_during_call:
    case CopyApi::memcpy_batch_any:
      call_batch();
      return;
    case CopyApi::graph_launch:
      check(cudaGraphLaunch(graph_.get(), stream_), "cudaGraphLaunch");
      return;
  }
}

void PreparedCopy::call_3d() const {
  const auto& [width, pitch, rows] = layout_;
  const std::size_t height = rows % rows_per_slice == 0 ? rows_per_slice : rows;
  cudaMemcpy3DParms parameters{};
  // The pointer of the source is not const in CUDA's structure.
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
  parameters.srcPtr = {const_cast<std::byte*>(source_), pitch, width, height};
  parameters.dstPtr = {destination_, pitch, width, height};
  parameters.extent = {width, height, rows / height};
  parameters.kind = kind_;
  check(cudaMemcpy3DAsync(&parameters, stream_), "cudaMemcpy3DAsync");
}

void PreparedCopy::call_batch() const {
#if CUDART_VERSION >= 12080
  cudaMemcpyAttributes attributes{};
  attributes.srcAccessOrder = access_order(api_);
  std::size_t first_copy = 0;
  std::size_t bytes = layout_.width;
#if CUDART_VERSION >= 13000
  void* const destination = destination_;
  const void* const source = source_;
  check(
      cudaMemcpyBatchAsync(&destination, &source, &bytes, 1, &attributes, &first_copy, 1, stream_),
      "cudaMemcpyBatchAsync");
#else
  void* destination = destination_;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
  void* source = const_cast<std::byte*>(source_);
  std::size_t failed = 0;
  check(cudaMemcpyBatchAsync(&destination, &source, &bytes, 1, &attributes, &first_copy, 1, &failed,
                             stream_),
        "cudaMemcpyBatchAsync");
#endif
#else
  check(cudaErrorNotSupported, "cudaMemcpyBatchAsync");
#endif
}

std::byte* symbol_address() {
  void* address = nullptr;
  check(cudaGetSymbolAddress(&address, symbol()), "cudaGetSymbolAddress");
  return static_cast<std::byte*>(address);
}

}  // namespace copybench
