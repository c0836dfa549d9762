// SPDX-License-Identifier: Apache-2.0
// What does getting an array back from the device cost, into ordinary memory above all?
#include <vector>

#include "benchmarks/families.hpp"
#include "benchmarks/transfer.hpp"
#include "benchmarks/transfer_sweeps.hpp"

namespace copybench {
namespace {

std::vector<Sweep> sweeps() {
  namespace axes = transfer_axes;
  const Axis without_or_fresh{"alloc", {"none", "fresh"}};
  std::vector<Sweep> sweeps = sweeps_of_either_direction();
  const auto add = [&](const TransferSweep& one) { sweeps.push_back(one.sweep()); };
  add({"What does the driver do with a pageable array, and what does a new one cost?",
       {"driver_pageable"},
       "pageable",
       without_or_fresh,
       axes::nonblocking,
       axes::blocked_and_completion,
       axes::all_sizes});
  add({"Does the synchronous form cost more?",
       {"driver_pageable_sync"},
       "pageable",
       without_or_fresh,
       {"legacy"},
       axes::completion,
       axes::all_sizes});
  add({"How fast is the link?",
       {"driver_pinned"},
       "pinned",
       axes::no_allocation,
       axes::nonblocking,
       axes::blocked_and_completion,
       axes::all_sizes});
  add({"What is left of parallel staging's speed where the array is new?",
       {"staged_parallel"},
       "pageable",
       {"alloc", {"fresh"}},
       axes::nonblocking,
       axes::completion,
       axes::three_sizes});
  const auto add_quick = [&](const char* strategy, const char* memory) {
    add({"How far is an ordinary array from the link on its way back?",
         {strategy},
         memory,
         axes::no_allocation,
         axes::nonblocking,
         axes::completion,
         {"bytes", {"67108864"}},
         true});
  };
  add_quick("driver_pageable", "pageable");
  add_quick("driver_pinned", "pinned");
  add_quick("staged_parallel", "pageable");
  return sweeps;
}

}  // namespace

Family to_host_family() {
  return {"to_host",
          sweeps(),
          [](const AxisValues& values, Fixtures& fixtures) {
            return make_transfer(TransferCase::parse(values, Direction::d2h), fixtures);
          },
          [](const AxisValues& values) {
            return TransferCase::parse(values, Direction::d2h).memory_needs();
          },
          refuse_transfer,
          lacks_for_transfer};
}

}  // namespace copybench
