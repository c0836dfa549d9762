// SPDX-License-Identifier: Apache-2.0
// How a graph runs. One of copies alone makes each of them as cudaMemcpyAsync does, pageable memory
// included; any other is one operation of its stream.
#include <algorithm>
#include <memory>

#include "simulator/call.hpp"
#include "simulator/conditions.hpp"
#include "simulator/devices.hpp"
#include "simulator/graph.hpp"
#include "simulator/model.hpp"
#include "simulator/stream.hpp"
#include "simulator/transfer.hpp"

namespace copybench::simulator {
namespace {

class Run {
 public:
  Run(int device, const CallFaults& faults) : device_(device), faults_(faults) {}

  cudaError_t run(const Steps& steps) {
    for (const Step& step : steps) {
      const cudaError_t error =
          std::visit([this](const auto& work) { return run(work); }, step.work);
      if (error != cudaSuccess) {
        return error;
      }
    }
    return cudaSuccess;
  }

 private:
  cudaError_t run(const Copy& copy) {
    transfer_of(copy, device_, faults_)();
    // One wrong byte, not one in each copy.
    faults_.corrupt_byte.reset();
    return cudaSuccess;
  }

  cudaError_t run(const NodeBody& body) { return body(faults_); }

  cudaError_t run(const std::shared_ptr<const Branch>& taken) {
    const Branch& branch = *taken;
    const unsigned value = condition_value(branch.condition);
    if (branch.type == cudaGraphCondTypeWhile) {
      return run_while(branch);
    }
    if (branch.type == cudaGraphCondTypeIf) {
      const std::size_t chosen = value != 0 ? 0 : 1;
      return chosen < branch.bodies.size() ? run(branch.bodies[chosen]) : cudaSuccess;
    }
    return value < branch.bodies.size() ? run(branch.bodies[value]) : cudaSuccess;
  }

  cudaError_t run_while(const Branch& branch) {
    while (condition_value(branch.condition) != 0) {
      // A loop that nobody ends would keep the process from ending.
      cudaError_t error = context_error();
      if (error == cudaSuccess) {
        error = run(branch.bodies.front());
      }
      if (error != cudaSuccess) {
        return error;
      }
    }
    return cudaSuccess;
  }

  int device_;
  CallFaults faults_;
};

void launch_copies(const Steps& steps, cudaStream_t stream, CallFaults faults) {
  for (const Step& step : steps) {
    copy_async(std::get<Copy>(step.work), stream, faults);
    faults.corrupt_byte.reset();
  }
}

}  // namespace

void launch(ExecutableGraph& executable, cudaStream_t stream, const CallFaults& faults) {
  const int device = find_stream(stream).device();
  const auto steps = executable.steps;
  if (std::ranges::all_of(
          *steps, [](const Step& step) { return std::holds_alternative<Copy>(step.work); })) {
    launch_copies(*steps, stream, faults);
    return;
  }
  executable.last_launch = submit(
      stream,
      {.run =
           [steps, device, faults, conditions = executable.conditions] {
             sleep_until(now() + scaled(microseconds(model().launch_latency_us), faults.slowness));
             std::ranges::for_each(conditions, reset_condition);
             return Run(device, faults).run(*steps);
           },
       .after = {executable.last_launch},
       .takes_a_place = true});
}

}  // namespace copybench::simulator
