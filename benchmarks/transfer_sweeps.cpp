// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/transfer_sweeps.hpp"

namespace copybench {

Sweep TransferSweep::sweep() const {
  return {
      question,
      {{"strategy", strategies}, {"mem", {memory}}, allocation, {"stream", streams}, metric, bytes},
      in_quick};
}

std::vector<Sweep> sweeps_of_either_direction() {
  namespace axes = transfer_axes;
  // Dense where one strategy overtakes another.
  const Axis dense_sizes{
      "bytes",
      {"4096", "16384", "32768", "65536", "131072", "262144", "524288", "1048576", "2097152",
       "4194304", "8388608", "16777216", "67108864", "268435456", "800000000", "1073741824"}};
  const std::vector<TransferSweep> sweeps{
      {"What comes close to the link?",
       {"pin_copy", "register_in_place", "staged_single", "staged_parallel"},
       "pageable",
       axes::no_allocation,
       axes::nonblocking,
       axes::blocked_and_completion,
       axes::all_sizes},
      {"Which strategy is the best for the size, and does auto take it?",
       {"driver_pageable", "staged_double_buffered", "staged_parallel", "auto"},
       "pageable",
       axes::no_allocation,
       axes::nonblocking,
       axes::completion,
       dense_sizes},
      {"Need there be a copy engine?",
       {"mapped_kernel"},
       "pinned_mapped",
       axes::no_allocation,
       axes::nonblocking,
       axes::blocked_and_completion,
       axes::all_sizes},
      {"Does the driver move managed memory any faster?",
       {"managed_prefetch"},
       "managed",
       axes::no_allocation,
       axes::nonblocking,
       axes::blocked_and_completion,
       axes::all_sizes}};
  std::vector<Sweep> all;
  all.reserve(sweeps.size());
  for (const TransferSweep& sweep : sweeps) {
    all.push_back(sweep.sweep());
  }
  return all;
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
