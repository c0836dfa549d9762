// SPDX-License-Identifier: Apache-2.0
#include "common/measurement/quiet_cpu.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "common/affinity.hpp"
#include "common/environment/cpu_list.hpp"
#include "common/environment/text.hpp"

namespace copybench {
namespace {

std::vector<int>& remembered_cpus() {
  static std::vector<int> cpus;
  return cpus;
}

// The processor that a measuring thread was confined to last, and the others of its core.
struct MeasuringCore {
  std::mutex mutex;
  std::vector<int> cpus;
};
MeasuringCore& measuring_core() {
  static MeasuringCore core;
  return core;
}

std::vector<int> core_of(int cpu) {
  const std::string path =
      "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list";
  const std::optional<std::string> text = read_value("/", path);
  return text ? parse_cpu_list(*text).value_or(std::vector<int>{cpu}) : std::vector<int>{cpu};
}

void confine_to(int cpu, const std::vector<int>& otherwise) {
  if (cpu < 0 || !run_on({cpu})) {
    (void)run_on(otherwise);
    return;
  }
  MeasuringCore& core = measuring_core();
  const std::scoped_lock lock(core.mutex);
  core.cpus = core_of(cpu);
}

// A chain through memory: measured on a shared host, a busy sibling of the core makes it two to
// four times slower, while a chain in registers, which leaves most of the core idle, does not feel
// it.
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

void remember_all_cpus() { remembered_cpus() = allowed_cpus(); }

std::vector<int> all_cpus() {
  return remembered_cpus().empty() ? allowed_cpus() : remembered_cpus();
}

void measure_on(const std::vector<int>& cpus) {
  if (cpus.size() == 1) {
    confine_to(cpus.front(), cpus);
  } else {
    (void)run_on(cpus);
  }
}

std::size_t cpu_count() { return std::max<std::size_t>(all_cpus().size(), 1); }

void leave_measuring_cpu() {
  std::vector<int> others;
  {
    MeasuringCore& core = measuring_core();
    const std::scoped_lock lock(core.mutex);
    std::ranges::copy_if(remembered_cpus(), std::back_inserter(others), [&](int cpu) {
      return std::ranges::find(core.cpus, cpu) == core.cpus.end();
    });
  }
  (void)run_on(others.empty() ? remembered_cpus() : others);
}

void use_all_cpus() { (void)run_on(all_cpus()); }

void QuietCpu::prefer(const std::vector<int>& near) {
  std::vector<int> kept;
  std::ranges::copy_if(allowed_, std::back_inserter(kept),
                       [&](int cpu) { return std::ranges::find(near, cpu) != near.end(); });
  if (!kept.empty()) {
    allowed_ = std::move(kept);
  }
}

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
  confine_to(fastest, allowed_);
  return fastest;
}

}  // namespace copybench
