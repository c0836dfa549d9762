// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <mutex>
#include <utility>

#include <cuda_runtime_api.h>

#include "simulator/activity_log.hpp"
#include "simulator/call.hpp"
#include "simulator/devices.hpp"
#include "simulator/model.hpp"

using namespace copybench::simulator;

namespace {

// Host functions of all streams run one at a time, which the documentation allows.
std::mutex& host_functions() {
  static std::mutex mutex;
  return mutex;
}

Operation host_function(const std::function<void()>& function, double slowness) {
  return {.run = [function, slowness] {
    sleep_until(copybench::now() +
                scaled(microseconds(model().host_function_latency_us), slowness));
    const std::scoped_lock one_at_a_time(host_functions());
    const HostFunctionScope scope;
    const RecordedWork recorded(copybench::ActivityKind::host_function, "host function");
    function();
    return cudaSuccess;
  }};
}

}  // namespace

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* pStream, unsigned flags) {
  return run_call("cudaStreamCreateWithFlags", [&](const CallFaults&) {
    require(pStream != nullptr && (flags == cudaStreamDefault || flags == cudaStreamNonBlocking));
    *pStream = reinterpret_cast<cudaStream_t>(current_device().create_stream(flags));
  });
}

cudaError_t cudaStreamCreate(cudaStream_t* pStream) {
  return cudaStreamCreateWithFlags(pStream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return run_call("cudaStreamDestroy", [&](const CallFaults&) {
    require(stream != nullptr && stream != cudaStreamLegacy && stream != cudaStreamPerThread,
            cudaErrorInvalidResourceHandle);
    Stream& found = find_stream(stream);
    device(found.device()).destroy_stream(&found);
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t hStream, unsigned* flags) {
  return run_call("cudaStreamGetFlags", [&](const CallFaults&) {
    require(flags != nullptr);
    *flags = find_stream(hStream).flags();
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return run_call("cudaStreamSynchronize", [&](const CallFaults&) { wait_for(pending(stream)); });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return run_call("cudaStreamQuery",
                  [&](const CallFaults&) { require_done(pending(stream).empty()); });
}

cudaError_t cudaDeviceSynchronize() {
  return run_call("cudaDeviceSynchronize",
                  [&](const CallFaults&) { wait_for(current_device().pending()); });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void* userData) {
  return run_enqueueing_call("cudaLaunchHostFunc", [&](const CallFaults& faults) {
    require(fn != nullptr);
    (void)submit(stream, host_function([fn, userData] { fn(userData); }, faults.slowness));
  });
}

// Unlike a host function it is called after an error too, and told of it (contract row 24).
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void* userData, unsigned flags) {
  return run_enqueueing_call("cudaStreamAddCallback", [&](const CallFaults& faults) {
    require(callback != nullptr && flags == 0);
    Operation operation =
        host_function([=] { callback(stream, cudaSuccess, userData); }, faults.slowness);
    operation.abandon = [=](cudaError_t lost) {
      const std::scoped_lock one_at_a_time(host_functions());
      const HostFunctionScope scope;
      callback(stream, lost, userData);
    };
    (void)submit(stream, std::move(operation));
  });
}
