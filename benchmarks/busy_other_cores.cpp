// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/busy_other_cores.hpp"

#include <vector>

#include "common/affinity.hpp"
#include "common/measurement/quiet_cpu.hpp"

namespace copybench {

BusyOtherCores::BusyOtherCores() : threads_(cpu_count() - 1) {}

void BusyOtherCores::start() {
  if (keep_busy_) {
    return;
  }
  keep_busy_ = true;
  begun_ = 0;
  spinning_ = 0;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    threads_[i].start([this, i] {
      // A helper's job begins on all processors but those of the measuring thread's core.
      const std::vector<int> others = allowed_cpus();
      const bool has_one = i < others.size() && run_on({others[i]});
      spinning_ += has_one ? 1U : 0U;
      ++begun_;
      while (has_one && keep_busy_) {
      }
    });
  }
  while (begun_ < threads_.size()) {
  }
}

void BusyOtherCores::stop() {
  keep_busy_ = false;
  for (HelperThread& thread : threads_) {
    thread.join_job();
  }
}

}  // namespace copybench
