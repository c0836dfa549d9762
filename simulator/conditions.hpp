// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

namespace copybench::simulator {

struct Graph;

// The conditions of graphs, which kernels set and conditional nodes read. They outlast their graph,
// a launch of which may be under way when it is destroyed. Throw Refusal for a condition that there
// is not.
[[nodiscard]] cudaGraphConditionalHandle make_condition(const Graph& graph, unsigned default_value,
                                                        bool assigns_default);
/// Gives it to a conditional node of the graph that it was made for; it can be given once.
void take_condition(cudaGraphConditionalHandle condition, const Graph& graph);
[[nodiscard]] bool is_taken(cudaGraphConditionalHandle condition);
/// What the beginning of a launch does to it.
void reset_condition(cudaGraphConditionalHandle condition);
/// cudaGraphSetConditional, which only kernels call.
void set_condition(cudaGraphConditionalHandle condition, unsigned value);
[[nodiscard]] unsigned condition_value(cudaGraphConditionalHandle condition);

}  // namespace copybench::simulator
