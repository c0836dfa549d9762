// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/beside_operations.hpp"

#include <cuda_runtime_api.h>

#include "common/cuda/check.hpp"
#include "common/cuda/copy.hpp"
#include "common/kernels.hpp"

namespace copybench {

// What the calls work on. Whatever a call made is given back at the latest with this.
struct PreparedOperation::Objects {
  using GiveBack = void (*)(void*);

  StreamView stream;
  // The two sides of a copy, and canaries behind the destination.
  std::optional<Buffer> source{};
  std::optional<Buffer> destination{};
  // Host memory to be registered.
  std::optional<Buffer> heap{};
  std::optional<Event> event{};
  std::unique_ptr<void, GiveBack> made{nullptr, [](void*) {}};

  void keep(void* thing, GiveBack give_back) {
    made = std::unique_ptr<void, GiveBack>(thing, give_back);
  }
  // The call itself has given it back.
  void forget() {
    made.get_deleter() = [](void*) {};
    made.reset();
  }
};

struct PreparedOperation::Steps {
  using Step = void (*)(Objects&);
  Step make;
  Step prepare;
  Step call;
};

namespace {

void CUDART_CB do_nothing(void* /*unused*/) {}

void free_device(void* memory) { (void)cudaFree(memory); }
void free_pinned(void* memory) { (void)cudaFreeHost(memory); }
void unpin(void* memory) { (void)cudaHostUnregister(memory); }
void destroy_stream(void* stream) { (void)cudaStreamDestroy(static_cast<cudaStream_t>(stream)); }

}  // namespace

const PreparedOperation::Steps& PreparedOperation::steps_of(Operation operation) {
  using Step = Steps::Step;
  static constexpr Step nothing = [](Objects&) {};
  static constexpr Step allocate = [](Objects& o) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, allocation_bytes), "cudaMalloc");
    o.keep(memory, free_device);
  };
  // What could not be given back is still there for the destructor.
  static constexpr Step free_allocated = [](Objects& o) {
    check(cudaFree(o.made.get()), "cudaFree");
    o.forget();
  };
  static constexpr Step allocate_in_order = [](Objects& o) {
    void* memory = nullptr;
    check(cudaMallocAsync(&memory, allocation_bytes, o.stream.get()), "cudaMallocAsync");
    o.keep(memory, free_device);
  };
  static constexpr Step allocate_pinned = [](Objects& o) {
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, allocation_bytes, cudaHostAllocDefault), "cudaHostAlloc");
    o.keep(memory, free_pinned);
  };
  static constexpr Step make_heap = [](Objects& o) {
    o.heap.emplace(MemoryKind::pageable, allocation_bytes);
  };
  static constexpr Step pin = [](Objects& o) {
    check(cudaHostRegister(o.heap->data(), allocation_bytes, cudaHostRegisterDefault),
          "cudaHostRegister");
    o.keep(o.heap->data(), unpin);
  };
  static constexpr Step make_event = [](Objects& o) { o.event.emplace(); };
  static constexpr Step record = [](Objects& o) { o.event->record(o.stream); };
  static constexpr auto make_copy = []<MemoryKind from, MemoryKind to>(Objects& o) {
    o.source.emplace(from, copy_bytes);
    o.destination.emplace(to, copy_bytes + canary_bytes);
  };
  static constexpr Step make_pinned_h2d = [](Objects& o) {
    make_copy.template operator()<MemoryKind::pinned, MemoryKind::device>(o);
  };
  static constexpr Step make_pinned_d2h = [](Objects& o) {
    make_copy.template operator()<MemoryKind::device, MemoryKind::pinned>(o);
  };
  static constexpr Step make_pageable_h2d = [](Objects& o) {
    make_copy.template operator()<MemoryKind::pageable, MemoryKind::device>(o);
  };
  static constexpr Step copy_h2d = [](Objects& o) {
    copy_async(o.destination->data(), o.source->data(), copy_bytes, Direction::h2d, o.stream);
  };
  static constexpr Step copy_d2h = [](Objects& o) {
    copy_async(o.destination->data(), o.source->data(), copy_bytes, Direction::d2h, o.stream);
  };

  // In the order of Operation.
  static constexpr std::array<Steps, operation_names.size()> table{{
      {make_pinned_h2d, nothing, copy_h2d},
      {make_pinned_d2h, nothing, copy_d2h},
      {make_pageable_h2d, nothing, copy_h2d},
      {nothing, nothing, [](Objects& o) { launch_timed_gate(o.stream, 0); }},
      {make_event, nothing, record},
      {make_event, record, [](Objects& o) { (void)o.event->is_done(); }},
      {nothing, nothing, [](Objects& o) { (void)o.stream.is_done(); }},
      {nothing, nothing, [](Objects&) { const Event event; }},
      {nothing, nothing,
       [](Objects& o) {
         check(cudaLaunchHostFunc(o.stream.get(), do_nothing, nullptr), "cudaLaunchHostFunc");
       }},
      {nothing, nothing, allocate},
      {nothing, allocate, free_allocated},
      {nothing, nothing, allocate_in_order},
      {nothing, allocate_in_order,
       [](Objects& o) {
         check(cudaFreeAsync(o.made.get(), o.stream.get()), "cudaFreeAsync");
         o.forget();
       }},
      {nothing, allocate_in_order, free_allocated},
      {nothing, nothing, allocate_pinned},
      {nothing, allocate_pinned,
       [](Objects& o) {
         check(cudaFreeHost(o.made.get()), "cudaFreeHost");
         o.forget();
       }},
      {make_heap, nothing, pin},
      {make_heap, pin,
       [](Objects& o) {
         check(cudaHostUnregister(o.made.get()), "cudaHostUnregister");
         o.forget();
       }},
      {nothing, nothing,
       [](Objects& o) {
         void* memory = nullptr;
         check(cudaMallocManaged(&memory, allocation_bytes, cudaMemAttachGlobal),
               "cudaMallocManaged");
         o.keep(memory, free_device);
       }},
      {nothing, nothing,
       [](Objects& o) {
         cudaStream_t stream = nullptr;
         check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
               "cudaStreamCreateWithFlags");
         o.keep(stream, destroy_stream);
       }},
  }};
  return table.at(static_cast<std::size_t>(operation));
}

PreparedOperation::PreparedOperation(Operation operation, StreamView stream, Verifier& verifier)
    : steps_(steps_of(operation)),
      objects_(std::make_unique<Objects>(Objects{stream})),
      verifier_(verifier) {
  steps_.make(*objects_);
}

PreparedOperation::~PreparedOperation() = default;

void PreparedOperation::fill(std::uint64_t seed) {
  seed_ = seed;
  if (objects_->source && objects_->destination) {
    const Buffer& source = *objects_->source;
    verifier_.fill({source.kind(), source.data(), copy_bytes}, seed);
    const Buffer& destination = *objects_->destination;
    verifier_.poison({destination.kind(), destination.data(), copy_bytes});
  }
}

void PreparedOperation::prepare() {
  steps_.prepare(*objects_);
  objects_->stream.sync();
}

void PreparedOperation::call() { steps_.call(*objects_); }

void PreparedOperation::finish() {
  objects_->stream.sync();
  objects_->made.reset();
}

void PreparedOperation::verify() {
  if (objects_->destination) {
    const Buffer& destination = *objects_->destination;
    verifier_.verify({destination.kind(), destination.data(), copy_bytes}, seed_);
  }
}

}  // namespace copybench
