// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/page_toucher.hpp"

#include <algorithm>
#include <atomic>

#include "common/measurement/quiet_cpu.hpp"

namespace copybench {

Nanoseconds PageToucher::touch(std::span<std::byte> memory, std::byte mark) {
  const std::size_t pages = (memory.size() + page - 1) / page;
  const std::size_t pages_each = (pages + threads_.size() - 1) / threads_.size();
  std::atomic<std::size_t> arrived = 0;
  std::size_t first = 0;
  for (Part& part : threads_) {
    const std::size_t offset = std::min(first * page, memory.size());
    const std::size_t bytes = std::min(pages_each * page, memory.size() - offset);
    first += pages_each;
    part.thread.start([this, &part, &arrived, mine = memory.subspan(offset, bytes), mark] {
      use_all_cpus();
      ++arrived;
      while (arrived < threads_.size()) {
      }
      part.begin = now();
      for (std::size_t at = 0; at < mine.size(); at += page) {
        mine[at] = mark;
      }
      part.end = now();
    });
  }
  TimePoint begin = TimePoint::max();
  TimePoint end = TimePoint::min();
  for (Part& part : threads_) {
    part.thread.join_job();
    begin = std::min(begin, part.begin);
    end = std::max(end, part.end);
  }
  return end - begin;
}

}  // namespace copybench
