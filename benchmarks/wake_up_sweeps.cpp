// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/wake_up_sweeps.hpp"

namespace copybench {

std::vector<Sweep> wake_up_sweeps() {
  return {
      {"Does the event's flag or the device's decide how cudaEventSynchronize waits?",
       {{"call", {"event_sync"}},
        {"event", {"spin", "block"}},
        {"device", {"auto", "spin", "yield", "block"}, {"auto"}},
        {"wait_us", {"1000"}}}},
      {"Does the device's flag decide how the stream and the device are waited for?",
       {{"call", {"stream_sync", "device_sync"}},
        {"event", {"spin"}},
        {"device", {"auto", "spin", "yield", "block"}},
        {"wait_us", {"1000"}}},
       false},
      {"Does the event's flag cost more, or save more, in a shorter or longer wait?",
       {{"call", {"event_sync"}},
        {"event", {"spin", "block"}},
        {"device", {"auto"}},
        {"wait_us", {"50", "20000"}}},
       false},
      {"Does the device's flag cost more, or save more, in a shorter or longer wait?",
       {{"call", {"stream_sync"}},
        {"event", {"spin"}},
        {"device", {"auto", "block"}},
        {"wait_us", {"50", "20000"}}},
       false},
      {"What does a pause between two queries cost, and what does it save?",
       {{"call", {"event_query_poll_0us", "event_query_poll_10us", "event_query_poll_100us"}},
        {"event", {"spin"}},
        {"device", {"auto"}},
        {"wait_us", {"50", "1000", "20000"}}},
       false},
  };
}

}  // namespace copybench
