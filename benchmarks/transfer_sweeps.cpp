// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/transfer_sweeps.hpp"

#include <utility>

namespace copybench {
namespace {

using Values = std::vector<std::string>;

// What varies between sweeps; the order of the axes does not.
struct Transfers {
  std::string question;
  Values strategies;
  std::string memory;
  Axis allocation;
  Values streams;
  Axis metric;
  Axis bytes;
  bool in_quick = false;
};

Sweep sweep(const Transfers& transfers) {
  return {transfers.question,
          {{"strategy", transfers.strategies},
           {"mem", {transfers.memory}},
           transfers.allocation,
           {"stream", transfers.streams},
           transfers.metric,
           transfers.bytes},
          transfers.in_quick};
}

const Axis no_allocation{"alloc", {"none"}};
const Axis without_or_with_malloc{"alloc", {"none", "malloc"}, {"none"}};
const Axis all_metrics{"metric", {"blocked", "completion", "residual"}};
const Axis blocked_and_completion{"metric", {"blocked", "completion"}};
const Axis completion{"metric", {"completion"}};
const Axis all_sizes{"bytes",
                     {"4096", "65536", "1048576", "16777216", "67108864", "268435456", "800000000"},
                     {"65536", "16777216"}};
// Dense where one strategy overtakes another.
const Axis dense_sizes{
    "bytes",
    {"4096", "16384", "32768", "65536", "131072", "262144", "524288", "1048576", "2097152",
     "4194304", "8388608", "16777216", "67108864", "268435456", "800000000", "1073741824"}};
const Axis three_sizes{"bytes", {"65536", "16777216", "268435456"}};

Axis one_size(std::string bytes) { return {"bytes", {std::move(bytes)}}; }

const Values both_streams{"legacy", "nonblocking"};
const Values nonblocking{"nonblocking"};

}  // namespace

std::vector<Sweep> to_device_sweeps() {
  const std::string the_array =
      "What does the 800 MB array of the question cost, and what does allocating it add?";
  std::vector<Sweep> sweeps;
  const auto add = [&](const Transfers& transfers) { sweeps.push_back(sweep(transfers)); };
  add({"What does the driver do with a pageable array?",
       {"driver_pageable"},
       "pageable",
       without_or_with_malloc,
       both_streams,
       all_metrics,
       all_sizes,
       true});
  add({"Does the synchronous form cost more?",
       {"driver_pageable_sync"},
       "pageable",
       without_or_with_malloc,
       {"legacy"},
       all_metrics,
       all_sizes});
  add({"How fast is the link?",
       {"driver_pinned"},
       "pinned",
       without_or_with_malloc,
       both_streams,
       all_metrics,
       all_sizes,
       true});
  add({"Is staging by hand any better?",
       {"staged_double_buffered"},
       "pageable",
       without_or_with_malloc,
       both_streams,
       all_metrics,
       all_sizes,
       true});
  add({"What comes close to the link?",
       {"pin_copy", "register_in_place", "staged_single", "staged_parallel"},
       "pageable",
       no_allocation,
       nonblocking,
       blocked_and_completion,
       all_sizes});
  add({"Which strategy is the best for the size, and does auto take it?",
       {"driver_pageable", "staged_double_buffered", "staged_parallel", "auto"},
       "pageable",
       no_allocation,
       nonblocking,
       completion,
       dense_sizes});
  add({"Need there be a copy engine?",
       {"mapped_kernel"},
       "pinned_mapped",
       no_allocation,
       nonblocking,
       blocked_and_completion,
       all_sizes});
  add({"Does the driver move managed memory any faster?",
       {"managed_prefetch"},
       "managed",
       no_allocation,
       nonblocking,
       blocked_and_completion,
       all_sizes});
  add({"What does allocating the destination add, way by way?",
       {"driver_pageable"},
       "pageable",
       {"alloc", {"malloc_async", "pooled"}},
       nonblocking,
       blocked_and_completion,
       three_sizes});
  const auto add_quick = [&](const char* strategy, const char* memory, const char* allocation,
                             const Axis& metric, const char* bytes) {
    add({the_array,
         {strategy},
         memory,
         {"alloc", {allocation}},
         nonblocking,
         metric,
         one_size(bytes),
         true});
  };
  add_quick("driver_pageable", "pageable", "none", all_metrics, "800000000");
  add_quick("driver_pinned", "pinned", "none", completion, "800000000");
  add_quick("staged_double_buffered", "pageable", "none", completion, "800000000");
  add_quick("staged_parallel", "pageable", "none", completion, "800000000");
  add_quick("driver_pageable", "pageable", "malloc", {"metric", {"blocked"}}, "65536");
  add_quick("driver_pageable", "pageable", "malloc", {"metric", {"blocked"}}, "16777216");
  return sweeps;
}

std::vector<Sweep> to_host_sweeps() {
  const Axis without_or_fresh{"alloc", {"none", "fresh"}};
  std::vector<Sweep> sweeps;
  const auto add = [&](const Transfers& transfers) { sweeps.push_back(sweep(transfers)); };
  add({"What does the driver do with a pageable array, and what does a new one cost?",
       {"driver_pageable"},
       "pageable",
       without_or_fresh,
       nonblocking,
       blocked_and_completion,
       all_sizes});
  add({"Does the synchronous form cost more?",
       {"driver_pageable_sync"},
       "pageable",
       without_or_fresh,
       {"legacy"},
       completion,
       all_sizes});
  add({"How fast is the link?",
       {"driver_pinned"},
       "pinned",
       no_allocation,
       nonblocking,
       blocked_and_completion,
       all_sizes});
  add({"What comes close to the link?",
       {"pin_copy", "register_in_place", "staged_single", "staged_parallel"},
       "pageable",
       no_allocation,
       nonblocking,
       blocked_and_completion,
       all_sizes});
  add({"What is left of that where the array is new?",
       {"staged_parallel"},
       "pageable",
       {"alloc", {"fresh"}},
       nonblocking,
       completion,
       three_sizes});
  add({"Which strategy is the best for the size, and does auto take it?",
       {"driver_pageable", "staged_double_buffered", "staged_parallel", "auto"},
       "pageable",
       no_allocation,
       nonblocking,
       completion,
       dense_sizes});
  add({"Need there be a copy engine?",
       {"mapped_kernel"},
       "pinned_mapped",
       no_allocation,
       nonblocking,
       blocked_and_completion,
       all_sizes});
  add({"Does the driver move managed memory any faster?",
       {"managed_prefetch"},
       "managed",
       no_allocation,
       nonblocking,
       blocked_and_completion,
       all_sizes});
  const auto add_quick = [&](const char* strategy, const char* memory) {
    add({"How far is an ordinary array from the link on its way back?",
         {strategy},
         memory,
         no_allocation,
         nonblocking,
         completion,
         one_size("67108864"),
         true});
  };
  add_quick("driver_pageable", "pageable");
  add_quick("driver_pinned", "pinned");
  add_quick("staged_parallel", "pageable");
  return sweeps;
}

std::optional<std::string> refuse_transfer(const AxisValues& values) {
  return values.number("bytes") > 0
             ? std::nullopt
             : std::optional<std::string>("bytes: there is no array of 0 bytes to be moved");
}

std::optional<std::string> lacks_for_transfer(const AxisValues& values, const Device& device) {
  if (values.at("mem") == "managed" && !device.concurrent_managed_access) {
    return "needs managed memory that can be moved ahead of its use";
  }
  return std::nullopt;
}

}  // namespace copybench
