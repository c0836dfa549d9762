// SPDX-License-Identifier: Apache-2.0
// What common/chain_kernels.cu does, done by the host.
#include "common/chain_kernels.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>

#include "common/chaining/size_buckets.hpp"
#include "common/cuda/check.hpp"
#include "common/measurement/clock.hpp"
#include "simulator/call.hpp"
#include "simulator/conditions.hpp"
#include "simulator/graph.hpp"
#include "simulator/launch.hpp"
#include "simulator/memory.hpp"
#include "simulator/model.hpp"
#include "simulator/stream.hpp"

namespace copybench {
namespace {

using simulator::CallFaults;
using simulator::host_view;

template <typename T>
T& at(T* device_address) {
  return *reinterpret_cast<T*>(host_view(device_address));
}

std::size_t elements_asked(const CountedCopy& copy) {
  const std::int32_t size = at(copy.device_size);
  const auto elements = static_cast<std::size_t>(size);
  return size < 0 || elements > copy.capacity ? 0 : elements;
}

void tell_size(const CountedCopy& copy) { at(copy.host_size) = at(copy.device_size); }

// The bytes go over the link, and take as long as a copy.
void copy_elements(const CountedCopy& copy, std::size_t begin, std::size_t end,
                   CallFaults& faults) {
  if (begin >= end) {
    return;
  }
  const TimePoint start = now();
  const std::size_t bytes = (end - begin) * sizeof(double);
  std::byte* const destination = host_view(copy.destination + begin);
  std::memcpy(destination, host_view(copy.source + begin), bytes);
  if (faults.corrupt_byte) {
    destination[simulator::corrupted_index(*faults.corrupt_byte, bytes)] ^= std::byte{0xff};
    faults.corrupt_byte.reset();
  }
  simulator::sleep_until(start + simulator::microseconds(simulator::model().link_latency_us) +
                         simulator::time_for(bytes, simulator::model().link_bytes_per_s));
}

cudaGraphNode_t add_kernel(cudaGraph_t graph, NodesBefore before,
                           const std::function<void(CallFaults&)>& body) {
  cudaGraphNode_t node = nullptr;
  check(simulator::add_kernel_node(&node, graph, before.data(), before.size(),
                                   [body](CallFaults& faults) {
                                     body(faults);
                                     return cudaSuccess;
                                   }),
        "cudaGraphAddKernelNode");
  return node;
}

std::size_t first_of_tile(std::uint32_t tile) { return tile * tile_elements; }

}  // namespace

// Together with the others, in load_kernels().
void load_chain_kernels() {}

void launch_counted_copy(StreamView stream, const CountedCopy& copy) {
  check(simulator::launch_kernel(stream.get(), 1,
                                 [copy](const CallFaults& faults) {
                                   CallFaults taken = faults;
                                   tell_size(copy);
                                   copy_elements(copy, 0, elements_asked(copy), taken);
                                   return cudaSuccess;
                                 }),
        "counted_copy launch");
}

cudaGraphNode_t add_choose_bucket(cudaGraph_t graph, NodesBefore before, const CountedCopy& copy,
                                  cudaGraphConditionalHandle condition) {
  return add_kernel(graph, before, [=](CallFaults&) {
    tell_size(copy);
    const unsigned within = buckets_within(elements_asked(copy));
    simulator::set_condition(condition, within == 0 ? buckets_within(copy.capacity) : within - 1);
  });
}

cudaGraphNode_t add_copy_past_bucket(cudaGraph_t graph, NodesBefore before,
                                     const CountedCopy& copy) {
  return add_kernel(graph, before, [=](CallFaults& faults) {
    const std::size_t elements = elements_asked(copy);
    copy_elements(copy, elements_in_bucket(elements), elements, faults);
  });
}

cudaGraphNode_t add_first_tile(cudaGraph_t graph, NodesBefore before, const CountedCopy& copy,
                               std::uint32_t* tile, cudaGraphConditionalHandle condition) {
  return add_kernel(graph, before, [=](CallFaults&) {
    tell_size(copy);
    at(tile) = 0;
    simulator::set_condition(condition, elements_asked(copy) > 0 ? 1 : 0);
  });
}

cudaGraphNode_t add_copy_tile(cudaGraph_t graph, NodesBefore before, const CountedCopy& copy,
                              const std::uint32_t* tile) {
  return add_kernel(graph, before, [=](CallFaults& faults) {
    const std::size_t begin = first_of_tile(at(tile));
    copy_elements(copy, begin, std::min(begin + tile_elements, elements_asked(copy)), faults);
  });
}

cudaGraphNode_t add_next_tile(cudaGraph_t graph, NodesBefore before, const CountedCopy& copy,
                              std::uint32_t* tile, cudaGraphConditionalHandle condition) {
  return add_kernel(graph, before, [=](CallFaults&) {
    ++at(tile);
    simulator::set_condition(condition, first_of_tile(at(tile)) < elements_asked(copy) ? 1 : 0);
  });
}

void add_planned_copy(cudaGraph_t graph, const CountedCopy& copy) {
  // What the device knows of the node that it changes.
  const auto is_enabled = std::make_shared<bool>(true);
  cudaGraphNode_t plan = add_kernel(graph, {}, [=](CallFaults&) {
    tell_size(copy);
    *is_enabled = elements_asked(copy) > 0;
  });
  (void)add_kernel(graph, {&plan, 1}, [=](CallFaults& faults) {
    if (*is_enabled) {
      copy_elements(copy, 0, elements_asked(copy), faults);
    }
  });
}

}  // namespace copybench
