// SPDX-License-Identifier: Apache-2.0
// What common/cuda/write_value.cpp does, done by the host.
#include "common/cuda/write_value.hpp"

#include <atomic>

#include "common/cuda/check.hpp"
#include "simulator/call.hpp"
#include "simulator/devices.hpp"
#include "simulator/memory.hpp"

namespace copybench {

void write_value(StreamView stream, std::uint32_t* word, std::uint32_t value) {
  using namespace simulator;
  const auto result = run_enqueueing_call("cuStreamWriteValue32", [&](const CallFaults&) {
    require(word != nullptr);
    auto* const in_host = reinterpret_cast<std::uint32_t*>(host_view(word));
    (void)submit(stream.get(), {.run =
                                    [in_host, value] {
                                      std::atomic_ref(*in_host).store(value);
                                      return cudaSuccess;
                                    },
                                .takes_a_place = true});
  });
  check(result, "cuStreamWriteValue32");
}

}  // namespace copybench
