// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <functional>
#include <ostream>

#include "common/cuda/check.hpp"
#include "tests/contract/contract.hpp"

namespace copybench {
namespace {

constexpr std::size_t bytes = std::size_t{32} << 20U;

// What the calls beside a gate in another stream work on.
struct State {
  cudaStream_t stream;
  std::byte* pageable;
  void* memory = nullptr;
  cudaStream_t made_stream = nullptr;
  cudaEvent_t made_event = nullptr;
};
using Step = cudaError_t (*)(State&);

constexpr Step nothing = [](State&) { return cudaSuccess; };
constexpr Step allocate = [](State& state) { return cudaMalloc(&state.memory, bytes); };
constexpr Step free_memory = [](State& state) { return cudaFree(state.memory); };
constexpr Step allocate_pinned = [](State& state) {
  return cudaHostAlloc(&state.memory, bytes, cudaHostAllocDefault);
};
constexpr Step free_pinned = [](State& state) { return cudaFreeHost(state.memory); };
constexpr Step pin = [](State& state) {
  return cudaHostRegister(state.pageable, bytes, cudaHostRegisterDefault);
};
constexpr Step unpin = [](State& state) { return cudaHostUnregister(state.pageable); };
constexpr Step allocate_in_order = [](State& state) {
  return cudaMallocAsync(&state.memory, bytes, state.stream);
};
constexpr Step free_in_order = [](State& state) {
  return cudaFreeAsync(state.memory, state.stream);
};
constexpr Step allocate_managed = [](State& state) {
  return cudaMallocManaged(&state.memory, bytes, cudaMemAttachGlobal);
};
constexpr Step make_stream = [](State& state) {
  return cudaStreamCreateWithFlags(&state.made_stream, cudaStreamNonBlocking);
};
constexpr Step drop_stream = [](State& state) { return cudaStreamDestroy(state.made_stream); };
constexpr Step make_event = [](State& state) {
  return cudaEventCreateWithFlags(&state.made_event, cudaEventDisableTiming);
};
constexpr Step drop_event = [](State& state) { return cudaEventDestroy(state.made_event); };

struct BesideCase {
  const char* name;
  const char* documented;
  Promise promise;
  Step prepare;
  Step call;
  Step finish;
};
std::ostream& operator<<(std::ostream& out, const BesideCase& tested) { return out << tested.name; }

constexpr std::array beside_cases{
    BesideCase{"Malloc", "not documented", Promise::nothing, nothing, allocate, free_memory},
    BesideCase{"Free", "row 32: may synchronise", Promise::nothing, allocate, free_memory, nothing},
    BesideCase{"FreeOfMallocAsync", "row 32: does not synchronise", Promise::returns_first,
               allocate_in_order, free_memory, nothing},
    BesideCase{"HostAlloc", "not documented", Promise::nothing, nothing, allocate_pinned,
               free_pinned},
    BesideCase{"FreeHost", "row 33: not documented", Promise::nothing, allocate_pinned, free_pinned,
               nothing},
    BesideCase{"HostRegister", "not documented", Promise::nothing, nothing, pin, unpin},
    BesideCase{"HostUnregister", "not documented", Promise::nothing, pin, unpin, nothing},
    BesideCase{"MallocAsync", "returns immediately", Promise::returns_first, nothing,
               allocate_in_order, free_in_order},
    BesideCase{"FreeAsync", "in order of its stream", Promise::returns_first, allocate_in_order,
               free_in_order, nothing},
    BesideCase{"MallocManaged", "not documented", Promise::nothing, nothing, allocate_managed,
               free_memory},
    BesideCase{"StreamCreate", "not documented", Promise::nothing, nothing, make_stream,
               drop_stream},
    BesideCase{"EventCreate", "not documented", Promise::nothing, nothing, make_event, drop_event},
};

class BesideAGate : public Contract, public testing::WithParamInterface<BesideCase> {};

TEST_P(BesideAGate, CallWhileAnotherStreamIsGated) {
  const auto& tested = GetParam();
  documented(tested.documented);
  const Stream own(StreamKind::nonblocking);
  const Buffer pageable(MemoryKind::pageable, bytes);
  const auto run = [&](const std::function<bool(State&)>& call) {
    State state{own.get(), pageable.data()};
    check(tested.prepare(state), "prepare");
    own.sync();
    const bool first = call(state);
    own.sync();
    check(tested.finish(state), "finish");
    own.sync();
    return first;
  };
  // The first call of its kind sets things up.
  (void)run([&](State& state) {
    check(tested.call(state), tested.name);
    return true;
  });
  const auto gated = [&](State& state) {
    return returns_first_once(stream_, [&] { check(tested.call(state), tested.name); });
  };
  const bool first = run(gated) || run(gated);
  expect_promise(tested.promise, first);
  observed(describe_return(first));
}

INSTANTIATE_TEST_SUITE_P(Allocation, BesideAGate, testing::ValuesIn(beside_cases),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace copybench
