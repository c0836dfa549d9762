// SPDX-License-Identifier: Apache-2.0
#include "common/measurement/quiet_cpu.hpp"

#include <algorithm>
#include <cstdint>
#include <sched.h>

namespace copybench {
namespace {

std::vector<int>& all_cpus() {
  static std::vector<int> cpus;
  return cpus;
}

// A dependent chain of multiplications, which shares its core's units with a busy sibling.
Nanoseconds time_arithmetic() {
  constexpr int rounds = 20'000;
  volatile std::uint32_t value = 1;
  const TimePoint begin = now();
  for (int i = 0; i < rounds; ++i) {
    value = value * 3 + 1;
  }
  return now() - begin;
}

// The best of a few: an interrupt is not a busy sibling.
Nanoseconds arithmetic_cost() {
  Nanoseconds best = time_arithmetic();
  for (int i = 0; i < 4; ++i) {
    best = std::min(best, time_arithmetic());
  }
  return best;
}

}  // namespace

std::vector<int> allowed_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) {
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &set)) {
        cpus.push_back(static_cast<int>(cpu));
      }
    }
  }
  return cpus;
}

bool run_on(const std::vector<int>& cpus) noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) {
    CPU_SET(static_cast<std::size_t>(cpu), &set);
  }
  return !cpus.empty() && sched_setaffinity(0, sizeof(set), &set) == 0;
}

void remember_all_cpus() { all_cpus() = allowed_cpus(); }

std::size_t cpu_count() {
  const std::size_t count = all_cpus().empty() ? allowed_cpus().size() : all_cpus().size();
  return std::max<std::size_t>(count, 1);
}

void leave_measuring_cpu() noexcept { (void)run_on(all_cpus()); }

QuietCpu::QuietCpu() : allowed_(allowed_cpus()) {}

bool QuietCpu::is_quiet() const { return is_fast(arithmetic_cost()); }

// Slower by less than this is noise, and moving has a price of its own: cold caches.
bool QuietCpu::is_fast(Nanoseconds cost) const {
  constexpr double tolerance = 1.1;
  return static_cast<double>(cost.count()) <= tolerance * static_cast<double>(best_.count());
}

void QuietCpu::settle() {
  if (current_ >= 0) {
    const Nanoseconds cost = arithmetic_cost();
    if (is_fast(cost)) {
      best_ = std::min(best_, cost);
      return;
    }
  }
  const int fastest = find_fastest();
  moves_ += current_ >= 0 && fastest != current_ ? 1 : 0;
  current_ = fastest;
}

int QuietCpu::find_fastest() {
  int fastest = current_;
  Nanoseconds least = Nanoseconds::max();
  for (const int cpu : allowed_) {
    if (!run_on({cpu})) {
      continue;
    }
    const Nanoseconds cost = arithmetic_cost();
    if (cost < least) {
      least = cost;
      fastest = cpu;
    }
  }
  // Not the best ever: a processor that has lowered its clock for good is no noise.
  best_ = least;
  if (fastest < 0 || !run_on({fastest})) {
    (void)run_on(allowed_);
  }
  return fastest;
}

}  // namespace copybench
