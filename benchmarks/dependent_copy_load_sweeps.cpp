// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/dependent_copy_load_sweeps.hpp"

#include <string>

namespace copybench {

std::vector<Sweep> dependent_copy_load_sweeps() {
  using Words = std::vector<std::string>;
  // The bound, one that waits in start(), and of each way of not waiting the one or two that stand
  // for it.
  const Words main_ones{"stream_sync",        "host_func_worker",   "known_size",
                        "mapped_size_shared", "speculative_top_up", "offloaded_sync"};
  // All in which somebody waits for the size while the producer runs.
  const Words waiting_ones{"stream_sync",        "host_func_worker",    "known_size",
                           "event_sync_spin",    "event_sync_blocking", "host_func_atomic_wait",
                           "host_func_spin",     "event_poll_worker",   "mapped_size_worker",
                           "mapped_size_shared", "mapped_size_spin",    "offloaded_sync"};
  Words main_and_capacity = main_ones;
  main_and_capacity.emplace_back("copy_capacity");
  const Sweep plain{"",
                    {{"strategy", main_ones},
                     {"sizes", {"fixed"}},
                     {"chains", {"1"}},
                     {"links", {"1"}},
                     {"producer", {"long"}},
                     {"cores", {"idle"}},
                     {"metric", {"end_to_end"}},
                     {"elements", {"1000"}}},
                    false};
  const auto with = [&](const char* question, const std::vector<Axis>& changes) {
    Sweep sweep = plain;
    sweep.question = question;
    for (const Axis& change : changes) {
      for (Axis& axis : sweep.axes) {
        if (axis.key == change.key) {
          axis = change;
        }
      }
    }
    return sweep;
  };
  return {
      with("What if the size changes each time?", {{"strategy", main_and_capacity},
                                                   {"sizes", {"fixed", "uniform", "mostly_small"}},
                                                   {"elements", {"100000"}}}),
      with("What if several chains are in flight?", {{"chains", {"1", "2", "4", "8"}}}),
      with("What if each size is needed to find the next array?", {{"links", {"3"}}}),
      with("What does waiting cost, and how late does it end, behind a short and a long producer?",
           {{"strategy", waiting_ones},
            {"producer", {"short", "long"}},
            {"metric", {"cpu_time"}},
            {"elements", {"16"}}}),
      with("What if others use the processors?",
           {{"strategy", waiting_ones}, {"cores", {"busy"}}, {"elements", {"16"}}})};
}

}  // namespace copybench
