// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <string>
#include <thread>

#include "common/cuda/check.hpp"
#include "common/cuda/event.hpp"
#include "common/kernels.hpp"
#include "tests/contract/contract.hpp"
#include "tests/contract/host_functions.hpp"
#include "tests/gpu/trap.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;

constexpr std::size_t bytes = 4096;
constexpr const char* for_good =
    "the process is left in an inconsistent state and any further work returns the same error";

// What a kernel that fails does to its process. Every test loses a process of its own.
class StickyErrors : public Contract {
 protected:
  [[nodiscard]] cudaError_t lose_context() const {
    launch_trap(stream_);
    return cudaStreamSynchronize(stream_.get());
  }
  [[nodiscard]] cudaError_t launch() const {
    try {
      launch_timed_gate(stream_, 0);
    } catch (const CudaError& error) {
      return error.code();
    }
    return cudaSuccess;
  }
  Buffer device_{MemoryKind::device, bytes};
  Buffer pinned_{MemoryKind::pinned, bytes};
  Buffer pageable_{MemoryKind::pageable, bytes};
};

TEST_F(StickyErrors, ReadingTheErrorDoesNotClearIt) {
  documented(for_good);
  const std::string seen = in_own_process([this] {
    const std::string first = cudaGetErrorName(lose_context());
    (void)cudaGetLastError();
    (void)cudaGetLastError();
    return first + ", then " + cudaGetErrorName(cudaFree(nullptr));
  });
  EXPECT_EQ(seen.find("cudaSuccess"), std::string::npos) << seen;
  observed(seen);
}

TEST_F(StickyErrors, EveryLaterCallFails) {
  documented(for_good);
  const std::string seen = in_own_process([this] {
    Event event;
    event.record(stream_);
    (void)lose_context();
    Outcomes codes;
    const auto add = [&](const char* name, cudaError_t code) {
      codes.emplace_back(name, cudaGetErrorName(code));
    };
    void* memory = nullptr;
    cudaStream_t stream = nullptr;
    cudaEvent_t other = nullptr;
    add("cudaMalloc", cudaMalloc(&memory, bytes));
    add("cudaHostAlloc", cudaHostAlloc(&memory, bytes, cudaHostAllocDefault));
    add("cudaHostRegister", cudaHostRegister(pageable_.data(), bytes, cudaHostRegisterDefault));
    add("cudaMemcpy", cudaMemcpy(device_.data(), pinned_.data(), bytes, cudaMemcpyHostToDevice));
    add("cudaMemcpyAsync", cudaMemcpyAsync(device_.data(), pinned_.data(), bytes,
                                           cudaMemcpyHostToDevice, stream_.get()));
    add("cudaStreamCreate", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    add("cudaStreamQuery", cudaStreamQuery(stream_.get()));
    add("cudaStreamSynchronize", cudaStreamSynchronize(stream_.get()));
    add("cudaEventCreate", cudaEventCreateWithFlags(&other, cudaEventDefault));
    add("cudaEventRecord", cudaEventRecord(event.get(), stream_.get()));
    add("cudaEventQuery", cudaEventQuery(event.get()));
    add("cudaDeviceSynchronize", cudaDeviceSynchronize());
    add("kernel launch", launch());
    std::thread([&] { add("cudaFree in another thread", cudaFree(nullptr)); }).join();
    return describe(codes);
  });
  EXPECT_EQ(seen.find("cudaSuccess"), std::string::npos) << seen;
  observed(seen);
}

TEST_F(StickyErrors, FreeingAfterIt) {
  documented("not documented");
  observed(in_own_process([this] {
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    check(cudaEventCreateWithFlags(&event, cudaEventDefault), "cudaEventCreateWithFlags");
    check(cudaHostRegister(pageable_.data(), bytes, cudaHostRegisterDefault), "cudaHostRegister");
    (void)lose_context();
    Outcomes codes;
    codes.emplace_back("cudaFree", cudaGetErrorName(cudaFree(device_.data())));
    codes.emplace_back("cudaFreeHost", cudaGetErrorName(cudaFreeHost(pinned_.data())));
    codes.emplace_back("cudaHostUnregister",
                       cudaGetErrorName(cudaHostUnregister(pageable_.data())));
    codes.emplace_back("cudaEventDestroy", cudaGetErrorName(cudaEventDestroy(event)));
    codes.emplace_back("cudaStreamDestroy", cudaGetErrorName(cudaStreamDestroy(stream)));
    return describe(codes);
  }));
}

TEST_F(StickyErrors, AnEventRecordedBeforeItFailsToo) {
  documented("not documented");
  observed(in_own_process([this] {
    Event event;
    event.record(stream_);
    stream_.sync();
    (void)lose_context();
    return std::string(cudaGetErrorName(cudaEventQuery(event.get())));
  }));
}

TEST_F(StickyErrors, AWaitingPageableCopyReturnsIt) {
  documented("calls may also return errors of earlier, asynchronous work");
  observed(in_own_process([this] {
    gate_.close(stream_);
    launch_trap(stream_);
    gate_.start_hold(hold);
    return std::string(cudaGetErrorName(cudaMemcpyAsync(pageable_.data(), device_.data(), bytes,
                                                        cudaMemcpyDeviceToHost, stream_.get())));
  }));
}

std::string run_behind_a_trap(Gate& gate, StreamView stream, HostApi api) {
  std::atomic<int> calls = 0;
  std::atomic<cudaError_t> status = cudaSuccess;
  HostWork work = [&](cudaError_t passed) {
    status = passed;
    ++calls;
  };
  gate.close(stream);
  launch_trap(stream);
  enqueue(api, stream, work);
  (void)gate.open();
  (void)cudaStreamSynchronize(stream.get());
  if (!happens_within(500ms, [&] { return calls > 0; })) {
    return "not called";
  }
  return std::string("called with ") + cudaGetErrorName(status);
}

TEST_F(StickyErrors, HostFunctionsAreNotCalled) {
  documented("row 23: not called after an error of the context");
  const std::string seen = in_own_process(
      [this] { return run_behind_a_trap(gate_, stream_, HostApi::launch_host_func); });
  EXPECT_EQ(seen, "not called");
  observed(seen);
}

TEST_F(StickyErrors, CallbacksAreCalledWithTheStatus) {
  documented("row 24: called after an error too, with its status");
  const std::string seen =
      in_own_process([this] { return run_behind_a_trap(gate_, stream_, HostApi::add_callback); });
  EXPECT_EQ(seen.find("called with cudaError"), 0U) << seen;
  observed(seen);
}

}  // namespace
}  // namespace copybench
