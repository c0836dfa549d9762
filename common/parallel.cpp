// SPDX-License-Identifier: Apache-2.0
#include "common/parallel.hpp"

#include <algorithm>
#include <thread>
#include <vector>

#include "common/measurement/quiet_cpu.hpp"
#include "common/start_thread.hpp"

namespace copybench {

void parallel_for(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t, std::size_t)>& body) {
  // Memory bandwidth is used up by a few threads.
  constexpr std::size_t most_threads = 8;
  const std::size_t grains = (count + grain - 1) / grain;
  const std::size_t cores = cpu_count();
  const std::size_t parts = std::clamp<std::size_t>(grains, 1, std::min(cores, most_threads));
  const std::size_t part = (grains + parts - 1) / parts * grain;

  std::vector<std::jthread> threads;
  threads.reserve(parts);
  for (std::size_t begin = part; begin < count; begin += part) {
    threads.push_back(start_thread([=, &body] {
      leave_measuring_cpu();
      body(begin, std::min(begin + part, count));
    }));
  }
  body(0, std::min(part, count));
}

}  // namespace copybench
