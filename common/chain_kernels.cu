// SPDX-License-Identifier: Apache-2.0
// Apart from kernels/ because kernels that set conditions or change graphs call the device's
// runtime, and are linked to it by a step of their own.
#include <array>
#include <type_traits>

#include "common/chain_kernels.hpp"
#include "common/chaining/size_buckets.hpp"
#include "common/cuda/check.hpp"

namespace copybench {
namespace {

constexpr unsigned threads_of_block = 256;
// Of a copy whose size the host does not know. Threads without work end at once, and writing to the
// host takes a part of a GPU, not all of it.
constexpr unsigned blocks_of_unknown = 128;

__device__ std::size_t index_in_grid() {
  return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ std::size_t threads_in_grid() {
  return static_cast<std::size_t>(gridDim.x) * blockDim.x;
}

__device__ std::size_t elements_asked(const CountedCopy& copy) {
  const std::int32_t size = *copy.device_size;
  const auto elements = static_cast<std::size_t>(size);
  return size < 0 || elements > copy.capacity ? 0 : elements;
}

__device__ void tell_size(const CountedCopy& copy) { *copy.host_size = *copy.device_size; }

// All threads of the grid copy the elements from `begin` up to `end`. Two at a time where both
// sides allow it: fewer requests over the link.
__device__ void copy_elements(const CountedCopy& copy, std::size_t begin, std::size_t end) {
  double* const destination = copy.destination + begin;
  const double* const source = copy.source + begin;
  const std::size_t count = begin < end ? end - begin : 0;
  const auto is_aligned = [](const void* memory) {
    return reinterpret_cast<std::uintptr_t>(memory) % sizeof(double2) == 0;
  };
  const std::size_t pairs = is_aligned(destination) && is_aligned(source) ? count / 2 : 0;
  for (std::size_t i = index_in_grid(); i < pairs; i += threads_in_grid()) {
    reinterpret_cast<double2*>(destination)[i] = reinterpret_cast<const double2*>(source)[i];
  }
  for (std::size_t i = 2 * pairs + index_in_grid(); i < count; i += threads_in_grid()) {
    destination[i] = source[i];
  }
}

__global__ void counted_copy(CountedCopy copy) {
  if (index_in_grid() == 0) {
    tell_size(copy);
  }
  copy_elements(copy, 0, elements_asked(copy));
}

__global__ void choose_bucket(CountedCopy copy, cudaGraphConditionalHandle condition) {
  tell_size(copy);
  const unsigned within = buckets_within(elements_asked(copy));
  cudaGraphSetConditional(condition, within == 0 ? buckets_within(copy.capacity) : within - 1);
}

__global__ void copy_past_bucket(CountedCopy copy) {
  const std::size_t elements = elements_asked(copy);
  copy_elements(copy, elements_in_bucket(elements), elements);
}

__device__ std::size_t first_of_tile(std::uint32_t tile) { return tile * tile_elements; }

__global__ void first_tile(CountedCopy copy, std::uint32_t* tile,
                           cudaGraphConditionalHandle condition) {
  tell_size(copy);
  *tile = 0;
  cudaGraphSetConditional(condition, elements_asked(copy) > 0 ? 1 : 0);
}

__global__ void copy_tile(CountedCopy copy, const std::uint32_t* tile) {
  const std::size_t begin = first_of_tile(*tile);
  const std::size_t elements = elements_asked(copy);
  const std::size_t end = begin + tile_elements;
  copy_elements(copy, begin, end < elements ? end : elements);
}

__global__ void next_tile(CountedCopy copy, std::uint32_t* tile,
                          cudaGraphConditionalHandle condition) {
  const std::uint32_t next = *tile + 1;
  *tile = next;
  cudaGraphSetConditional(condition, first_of_tile(next) < elements_asked(copy) ? 1 : 0);
}

__global__ void copy_planned(CountedCopy copy) { copy_elements(copy, 0, elements_asked(copy)); }

// A grid of no blocks is not to be had: the kernel is switched off instead.
__global__ void plan_copy(CountedCopy copy, cudaGraphDeviceNode_t planned) {
  constexpr std::size_t elements_of_block = 2 * threads_of_block;
  tell_size(copy);
  const std::size_t blocks = (elements_asked(copy) + elements_of_block - 1) / elements_of_block;
  cudaGraphKernelNodeSetEnabled(planned, blocks > 0);
  if (blocks > 0) {
    const auto enough = static_cast<std::size_t>(blocks_of_unknown);
    cudaGraphKernelNodeSetGridDim(planned,
                                  dim3(static_cast<unsigned>(blocks < enough ? blocks : enough)));
  }
}

template <typename... Parameters>
cudaGraphNode_t add_kernel(cudaGraph_t graph, NodesBefore before, void (*kernel)(Parameters...),
                           unsigned blocks, unsigned threads,
                           std::type_identity_t<Parameters>... arguments) {
  // The values are read before the call returns.
  std::array<void*, sizeof...(arguments)> addresses{&arguments...};
  cudaKernelNodeParams parameters{};
  parameters.func = reinterpret_cast<void*>(kernel);
  parameters.gridDim = dim3(blocks);
  parameters.blockDim = dim3(threads);
  parameters.kernelParams = addresses.data();
  cudaGraphNode_t node = nullptr;
  check(cudaGraphAddKernelNode(&node, graph, before.data(), before.size(), &parameters),
        "cudaGraphAddKernelNode");
  return node;
}

cudaGraphDeviceNode_t make_updatable(cudaGraphNode_t node) {
  cudaLaunchAttributeValue value{};
  value.deviceUpdatableKernelNode.deviceUpdatable = 1;
  check(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &value),
        "cudaGraphKernelNodeSetAttribute");
  value = {};
  check(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &value),
        "cudaGraphKernelNodeGetAttribute");
  return value.deviceUpdatableKernelNode.devNode;
}

void add_edge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to) {
#if CUDART_VERSION >= 13000
  check(cudaGraphAddDependencies(graph, &from, &to, nullptr, 1), "cudaGraphAddDependencies");
#else
  check(cudaGraphAddDependencies(graph, &from, &to, 1), "cudaGraphAddDependencies");
#endif
}

template <typename Kernel>
void load_one(Kernel kernel) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
}

}  // namespace

void load_chain_kernels() {
  load_one(counted_copy);
  load_one(choose_bucket);
  load_one(copy_past_bucket);
  load_one(first_tile);
  load_one(copy_tile);
  load_one(next_tile);
  load_one(copy_planned);
  load_one(plan_copy);
}

void launch_counted_copy(StreamView stream, const CountedCopy& copy) {
  counted_copy<<<blocks_of_unknown, threads_of_block, 0, stream.get()>>>(copy);
  check(cudaGetLastError(), "counted_copy launch");
}

cudaGraphNode_t add_choose_bucket(cudaGraph_t graph, NodesBefore before, const CountedCopy& copy,
                                  cudaGraphConditionalHandle condition) {
  return add_kernel(graph, before, choose_bucket, 1, 1, copy, condition);
}

cudaGraphNode_t add_copy_past_bucket(cudaGraph_t graph, NodesBefore before,
                                     const CountedCopy& copy) {
  return add_kernel(graph, before, copy_past_bucket, blocks_of_unknown, threads_of_block, copy);
}

cudaGraphNode_t add_first_tile(cudaGraph_t graph, NodesBefore before, const CountedCopy& copy,
                               std::uint32_t* tile, cudaGraphConditionalHandle condition) {
  return add_kernel(graph, before, first_tile, 1, 1, copy, tile, condition);
}

cudaGraphNode_t add_copy_tile(cudaGraph_t graph, NodesBefore before, const CountedCopy& copy,
                              const std::uint32_t* tile) {
  return add_kernel(graph, before, copy_tile, blocks_of_unknown, threads_of_block, copy, tile);
}

cudaGraphNode_t add_next_tile(cudaGraph_t graph, NodesBefore before, const CountedCopy& copy,
                              std::uint32_t* tile, cudaGraphConditionalHandle condition) {
  return add_kernel(graph, before, next_tile, 1, 1, copy, tile, condition);
}

void add_planned_copy(cudaGraph_t graph, const CountedCopy& copy) {
  cudaGraphNode_t planned =
      add_kernel(graph, {}, copy_planned, blocks_of_unknown, threads_of_block, copy);
  cudaGraphNode_t plan = add_kernel(graph, {}, plan_copy, 1, 1, copy, make_updatable(planned));
  add_edge(graph, plan, planned);
}

}  // namespace copybench
