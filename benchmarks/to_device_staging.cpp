// SPDX-License-Identifier: Apache-2.0
// What does putting an ordinary array on the device cost, and what of it is left after the return?
#include <vector>

#include "benchmarks/families.hpp"
#include "benchmarks/transfer.hpp"
#include "benchmarks/transfer_sweeps.hpp"

namespace copybench {
namespace {

std::vector<Sweep> sweeps() {
  namespace axes = transfer_axes;
  const Axis without_or_with_malloc{"alloc", {"none", "malloc"}, {"none"}};
  const std::vector<std::string> both_streams{"legacy", "nonblocking"};
  std::vector<Sweep> sweeps = sweeps_of_either_direction();
  const auto add = [&](const TransferSweep& one) { sweeps.push_back(one.sweep()); };
  add({"What does the driver do with a pageable array?",
       {"driver_pageable"},
       "pageable",
       without_or_with_malloc,
       both_streams,
       axes::all_metrics,
       axes::all_sizes,
       true});
  add({"Does the synchronous form cost more?",
       {"driver_pageable_sync"},
       "pageable",
       without_or_with_malloc,
       {"legacy"},
       axes::all_metrics,
       axes::all_sizes});
  add({"How fast is the link?",
       {"driver_pinned"},
       "pinned",
       without_or_with_malloc,
       both_streams,
       axes::all_metrics,
       axes::all_sizes,
       true});
  add({"Is staging by hand any better?",
       {"staged_double_buffered"},
       "pageable",
       without_or_with_malloc,
       both_streams,
       axes::all_metrics,
       axes::all_sizes,
       true});
  add({"What does allocating the destination add, way by way?",
       {"driver_pageable"},
       "pageable",
       {"alloc", {"malloc_async", "pooled"}},
       axes::nonblocking,
       axes::blocked_and_completion,
       axes::three_sizes});
  const auto add_quick = [&](const char* strategy, const char* memory, const char* allocation,
                             const Axis& metric, const char* bytes) {
    add({"What does the 800 MB array of the question cost, and what does allocating add?",
         {strategy},
         memory,
         {"alloc", {allocation}},
         axes::nonblocking,
         metric,
         {"bytes", {bytes}},
         true});
  };
  // A call that takes as long as the whole is not measured twice: its time is in the rows of both.
  add_quick("driver_pageable", "pageable", "none", {"metric", {"completion", "residual"}},
            "800000000");
  add_quick("driver_pinned", "pinned", "none", axes::completion, "800000000");
  add_quick("staged_double_buffered", "pageable", "none", axes::completion, "800000000");
  add_quick("staged_parallel", "pageable", "none", axes::completion, "800000000");
  add_quick("driver_pageable", "pageable", "malloc", {"metric", {"blocked"}}, "65536");
  add_quick("driver_pageable", "pageable", "malloc", {"metric", {"blocked"}}, "16777216");
  return sweeps;
}

}  // namespace

Family to_device_family() {
  return {"to_device",
          sweeps(),
          [](const AxisValues& values, Fixtures& fixtures) {
            return make_transfer(TransferCase::parse(values, Direction::h2d), fixtures);
          },
          [](const AxisValues& values) {
            return TransferCase::parse(values, Direction::h2d).memory_needs();
          },
          refuse_transfer,
          lacks_for_transfer};
}

}  // namespace copybench
