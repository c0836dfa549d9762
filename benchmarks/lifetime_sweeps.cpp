// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/lifetime_sweeps.hpp"

#include <string>
#include <utility>

namespace copybench {
namespace {

std::vector<std::string> sizes() { return {"64", "4096", "65536", "1048576", "4194304"}; }

Sweep sweep(std::string question, std::string hazard, std::vector<std::string> apis,
            std::vector<std::string> memory, std::vector<std::string> quick_memory = {}) {
  const bool in_quick = !quick_memory.empty();
  return {std::move(question),
          {{"hazard", {std::move(hazard)}},
           {"api", std::move(apis)},
           {"mem", std::move(memory), std::move(quick_memory)},
           {"bytes", sizes(), {"65536"}}},
          in_quick};
}

Sweep other_stream_sweep(std::string question, std::string hazard) {
  std::vector<std::string> more = sizes();
  more.emplace_back("16777216");
  return {std::move(question),
          {{"hazard", {std::move(hazard)}},
           {"api", {"memcpy"}},
           {"mem", {"pageable", "pinned"}, {"pageable"}},
           {"bytes", std::move(more), {"65536"}}}};
}

}  // namespace

std::vector<Sweep> lifetime_sweeps() {
  return {
      sweep("May a source be overwritten when the call has returned?", "overwrite_source",
            {"memcpy_async"},
            {"pageable", "pageable_stack", "pinned", "registered", "managed", "pinned_mapped"},
            {"pageable", "pinned"}),
      sweep("Does it depend on the source access order of a batch?", "overwrite_source",
            {"memcpy_batch_stream", "memcpy_batch_during_call", "memcpy_batch_any"},
            {"pageable", "pageable_stack", "pinned", "registered"}),
      sweep("When does a graph read the source of its copy node?", "overwrite_source",
            {"graph_launch"}, {"pageable", "pinned", "registered"}),
      sweep("Is the synchronous form safe?", "overwrite_source", {"memcpy"},
            {"pageable", "pageable_stack", "pinned", "registered", "managed"}),
      sweep("Has a copy to the host arrived when the call has returned?", "read_destination",
            {"memcpy_async", "memcpy_batch_stream", "graph_launch", "memcpy"},
            {"pageable", "pinned"}),
      sweep("Does it depend on how memory was pinned, or on where it lies?", "read_destination",
            {"memcpy_async"}, {"pageable_stack", "registered", "pinned_mapped"}),
      other_stream_sweep("Does a nonblocking stream see what a synchronous copy has copied?",
                         "other_stream"),
      other_stream_sweep("Does it after a wait for the legacy stream?", "other_stream_after_sync"),
  };
}

}  // namespace copybench
