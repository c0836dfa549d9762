// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <cuda_runtime_api.h>

#include "simulator/call.hpp"
#include "simulator/devices.hpp"
#include "simulator/graph.hpp"

using namespace copybench::simulator;

cudaError_t cudaGraphCreate(cudaGraph_t* pGraph, unsigned flags) {
  return run_call("cudaGraphCreate", [&](const CallFaults&) {
    require(pGraph != nullptr && flags == 0);
    *pGraph = keep(std::make_unique<Graph>());
  });
}

// Not the graph of a conditional node's body, which belongs to the node.
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return run_call("cudaGraphDestroy", [&](const CallFaults&) { destroy(graph); });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* pGraphExec, cudaGraph_t graph,
                                 unsigned long long flags) {
  return run_call("cudaGraphInstantiate", [&](const CallFaults&) {
    require(pGraphExec != nullptr && flags == 0);
    *pGraphExec = keep(instantiate(graph));
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graphExec) {
  return run_call("cudaGraphExecDestroy", [&](const CallFaults&) { destroy(graphExec); });
}

// There is nowhere to move it to.
cudaError_t cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t stream) {
  return run_enqueueing_call("cudaGraphUpload", [&](const CallFaults&) {
    (void)find_executable(graphExec);
    (void)submit(stream, {});
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream) {
  return run_enqueueing_call("cudaGraphLaunch", [&](const CallFaults& faults) {
    (void)find_stream(stream);
    launch(find_executable(graphExec), stream, faults);
  });
}
