// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace copybench::simulator {

/// Counts one more call of this API and returns which one it is, from 1.
std::uint64_t count_call(std::string_view api);
void count_fault();

/// What handles and memory a program holds. Default streams do not count: nobody destroys them.
enum class Holding { stream, event, allocation, graph };
void count_holding(Holding holding, int change);

// When the process ends by returning from main or by exit(), all of that is written as JSON to the
// file that COPYBENCH_SIM_REPORT names:
//   {"calls": {"cudaFree": 3}, "live": {"streams": 0, "events": 0, "allocations": 0, "graphs": 0},
//   "faults": 1}

}  // namespace copybench::simulator
