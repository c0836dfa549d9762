// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ostream>

#include "common/cuda/event.hpp"
#include "common/kernels.hpp"
#include "tests/contract/contract.hpp"
#include "tests/contract/host_functions.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""s;

constexpr std::size_t bytes = 4096;

// What the forbidden calls work on: all of it idle, so that none of them has a reason to wait.
struct Tools {
  Stream stream{StreamKind::nonblocking};
  Event event;
  Buffer device{MemoryKind::device, bytes};
  Buffer pinned{MemoryKind::pinned, bytes};
  void* allocated = nullptr;
};

struct CallCase {
  const char* name;
  cudaError_t (*call)(Tools&);
};
std::ostream& operator<<(std::ostream& out, const CallCase& tested) { return out << tested.name; }

const std::array call_cases{
    CallCase{"MemcpyAsync",
             [](Tools& tools) {
               return cudaMemcpyAsync(tools.device.data(), tools.pinned.data(), bytes,
                                      cudaMemcpyHostToDevice, tools.stream.get());
             }},
    CallCase{"Memcpy",
             [](Tools& tools) {
               return cudaMemcpy(tools.device.data(), tools.pinned.data(), bytes,
                                 cudaMemcpyHostToDevice);
             }},
    CallCase{"MemsetAsync",
             [](Tools& tools) {
               return cudaMemsetAsync(tools.device.data(), 0, bytes, tools.stream.get());
             }},
    CallCase{"EventRecord",
             [](Tools& tools) { return cudaEventRecord(tools.event.get(), tools.stream.get()); }},
    CallCase{"EventQuery", [](Tools& tools) { return cudaEventQuery(tools.event.get()); }},
    CallCase{"StreamQuery", [](Tools& tools) { return cudaStreamQuery(tools.stream.get()); }},
    CallCase{"StreamSynchronize",
             [](Tools& tools) { return cudaStreamSynchronize(tools.stream.get()); }},
    CallCase{"GetLastError",
             [](Tools&) {
               (void)cudaGetLastError();  // what an earlier test left in the driver's thread
               return cudaGetLastError();
             }},
    CallCase{"GetDevice",
             [](Tools&) {
               int device = 0;
               return cudaGetDevice(&device);
             }},
    CallCase{"Malloc", [](Tools& tools) { return cudaMalloc(&tools.allocated, bytes); }},
    CallCase{"Free", [](Tools&) { return cudaFree(nullptr); }},
    CallCase{"LaunchKernel",
             [](Tools& tools) {
               (void)cudaGetLastError();
               try {
                 launch_timed_gate(tools.stream, 0);
               } catch (const CudaError& error) {
                 return error.code();
               }
               return cudaSuccess;
             }},
};

class InsideAHostFunction : public Contract, public testing::WithParamInterface<CallCase> {};

TEST_P(InsideAHostFunction, Calling) {
  documented("rows 23, 24: not allowed; may result in cudaErrorNotPermitted");
  Outcomes seen;
  for (const HostApi api : host_apis) {
    Tools tools;
    tools.event.record(tools.stream);
    tools.stream.sync();
    std::atomic<bool> returned = false;
    cudaError_t code = cudaErrorUnknown;
    HostWork work = [&](cudaError_t) {
      code = GetParam().call(tools);
      returned = true;
    };
    enqueue(api, stream_, work);
    if (!happens_within(10s, [&] { return returned.load(); })) {
      // The driver's thread is lost, and with it the process.
      (void)std::fprintf(stderr, "cuda%s inside a host function never returned\n", GetParam().name);
      std::_Exit(EXIT_FAILURE);
    }
    stream_.sync();
    EXPECT_EQ(cudaFree(tools.allocated), cudaSuccess);
    seen.emplace_back(name_of(api), cudaGetErrorName(code));
  }
  observed(describe(seen));
}

INSTANTIATE_TEST_SUITE_P(HostFunctions, InsideAHostFunction, testing::ValuesIn(call_cases),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace copybench
