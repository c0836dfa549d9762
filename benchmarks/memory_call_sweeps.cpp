// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/memory_call_sweeps.hpp"

#include <string>

namespace copybench {

// The sizes of managed memory are small: pages that the host has touched move one after the other.
std::vector<Sweep> memory_call_sweeps() {
  const std::vector<std::string> queues{"idle", "busy", "busy_elsewhere"};
  const std::vector<std::string> large{"4096", "1048576", "268435456"};
  const std::vector<std::string> small{"4096", "1048576", "16777216"};
  return {
      {"Is cudaMemset asynchronous for device memory, and synchronous for pinned memory alone?",
       {{"api", {"memset"}},
        {"mem", {"device", "pinned"}},
        {"stream", {"legacy"}},
        {"queue", queues, {"busy"}},
        {"bytes", large, {"1048576"}}}},
      {"What is cudaMemset of managed memory, which the documentation does not name?",
       {{"api", {"memset"}},
        {"mem", {"managed"}},
        {"stream", {"legacy"}},
        {"queue", queues},
        {"bytes", small}},
       false},
      {"Is cudaMemsetAsync always asynchronous?",
       {{"api", {"memset_async"}},
        {"mem", {"device", "pinned"}, {"pinned"}},
        {"stream", {"nonblocking"}},
        {"queue", queues, {"busy"}},
        {"bytes", large, {"1048576"}}}},
      {"Is it for managed memory as well?",
       {{"api", {"memset_async"}},
        {"mem", {"managed"}},
        {"stream", {"nonblocking"}},
        {"queue", queues},
        {"bytes", small}},
       false},
      {"Does moving managed memory to the device ahead of its use make the host wait?",
       {{"api", {"prefetch_async"}},
        {"mem", {"managed"}},
        {"stream", {"nonblocking"}},
        {"queue", queues, {"busy"}},
        {"bytes", small, {"1048576"}}}},
  };
}

}  // namespace copybench
