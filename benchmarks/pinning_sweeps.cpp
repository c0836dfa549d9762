// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/pinning_sweeps.hpp"

#include <string>

namespace copybench {

// Less than a huge page says nothing about huge pages, and a few pages nothing about many threads.
std::vector<Sweep> pinning_sweeps() {
  const std::vector<std::string> sizes{"4096",     "65536",     "1048576",
                                       "16777216", "268435456", "800000000"};
  const std::vector<std::string> large{"16777216", "268435456", "800000000"};
  return {
      {"What does it cost to allocate pinned memory and to free it?",
       {{"api", {"host_alloc"}},
        {"mem", {"pinned"}},
        {"touch_threads", {"0"}},
        {"bytes", sizes, {"16777216"}}}},
      {"What does it cost to pin memory that is there already, and what if nobody has touched it?",
       {{"api", {"host_register"}},
        {"mem", {"pageable"}},
        {"touch_threads", {"0", "1"}, {"1"}},
        {"bytes", sizes, {"16777216"}}}},
      {"Do huge pages make it cheaper?",
       {{"api", {"host_register"}},
        {"mem", {"pageable_thp"}},
        {"touch_threads", {"0", "1"}},
        {"bytes", large}},
       false},
      {"How much faster do several threads touch it, and is it then dearer to pin?",
       {{"api", {"host_register"}},
        {"mem", {"pageable", "pageable_thp"}},
        {"touch_threads", {"2", "4", "8", "16"}},
        {"bytes", large}},
       false},
  };
}

}  // namespace copybench
