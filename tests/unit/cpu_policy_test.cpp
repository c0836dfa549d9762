// SPDX-License-Identifier: Apache-2.0
#include "common/run/cpu_policy.hpp"

#include <algorithm>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "common/affinity.hpp"

namespace copybench {
namespace {

// Each test confines a thread of its own, so that the others keep the whole machine.
template <typename Body>
void on_own_thread(Body body) {
  std::thread(body).join();
}

TEST(CpuPolicy, ReadsItsThreeForms) {
  const int allowed = allowed_cpus().back();
  EXPECT_EQ(parse_cpu_policy("quiet").kind, CpuPolicy::Kind::quiet);
  EXPECT_EQ(parse_cpu_policy("any").kind, CpuPolicy::Kind::any);
  const CpuPolicy fixed = parse_cpu_policy(std::to_string(allowed));
  EXPECT_EQ(fixed.kind, CpuPolicy::Kind::fixed);
  EXPECT_EQ(fixed.cpu, allowed);
}

TEST(CpuPolicy, IsWrittenAsItIsRead) {
  const std::string number = std::to_string(allowed_cpus().front());
  for (const std::string& text : {std::string("quiet"), std::string("any"), number}) {
    EXPECT_EQ(to_string(parse_cpu_policy(text)), text);
  }
}

TEST(CpuPolicy, RefusesWhatIsNoProcessorHere) {
  for (const char* text : {"", "Quiet", "-1", "1000000", "0x0", "0 ", "1.5"}) {
    EXPECT_THROW((void)parse_cpu_policy(text), std::invalid_argument) << text;
  }
}

TEST(CpuPlacement, FixedConfinesTheThreadThatSettles) {
  const int cpu = allowed_cpus().back();
  on_own_thread([cpu] {
    CpuPlacement({CpuPolicy::Kind::fixed, cpu}).settle();
    EXPECT_EQ(allowed_cpus(), std::vector<int>{cpu});
    EXPECT_EQ(CpuPlacement::current(), cpu);
  });
}

TEST(CpuPlacement, FixedOnAProcessorThatIsNotThereFails) {
  on_own_thread([] {
    EXPECT_THROW(CpuPlacement({CpuPolicy::Kind::fixed, CPU_SETSIZE - 1}).settle(),
                 std::runtime_error);
  });
}

TEST(CpuPlacement, AnyLeavesTheThreadAlone) {
  on_own_thread([] {
    const std::vector<int> before = allowed_cpus();
    CpuPlacement placement({CpuPolicy::Kind::any});
    placement.settle();
    EXPECT_EQ(allowed_cpus(), before);
    EXPECT_TRUE(placement.is_undisturbed());
  });
}

TEST(QuietCpu, ConfinesTheThreadToOneOfItsProcessors) {
  on_own_thread([] {
    const std::vector<int> before = allowed_cpus();
    QuietCpu quiet;
    EXPECT_EQ(quiet.current(), -1);
    for (int i = 0; i < 3; ++i) {
      quiet.settle();
      EXPECT_EQ(allowed_cpus(), std::vector<int>{quiet.current()});
      EXPECT_NE(std::ranges::find(before, quiet.current()), before.end());
    }
  });
}

TEST(LeaveMeasuringCpu, FreesAThreadThatInheritedTheMeasuringProcessor) {
  on_own_thread([] {
    const std::vector<int> all = allowed_cpus();
    remember_all_cpus();
    QuietCpu quiet;
    quiet.settle();
    const std::vector<int> confined{quiet.current()};
    // However few processors the thread is confined to, the process has as many as before.
    EXPECT_EQ(cpu_count(), all.size());
    std::thread([&] {
      EXPECT_EQ(allowed_cpus(), confined);
      leave_measuring_cpu();
      const std::vector<int> freed = allowed_cpus();
      EXPECT_TRUE(std::ranges::includes(all, freed));
      if (all.size() > 1) {
        EXPECT_NE(freed, confined);
      }
    }).join();
  });
}

TEST(QuietCpu, StaysNearTheDeviceWhereItCan) {
  on_own_thread([] {
    const int near = allowed_cpus().back();
    QuietCpu quiet;
    quiet.prefer({near});
    quiet.settle();
    EXPECT_EQ(quiet.current(), near);
  });
  on_own_thread([] {
    const std::vector<int> all = allowed_cpus();
    QuietCpu quiet;
    quiet.prefer({CPU_SETSIZE - 1});  // none of them may be used here
    quiet.settle();
    EXPECT_NE(std::ranges::find(all, quiet.current()), all.end());
  });
}

TEST(RunOn, RefusesNoProcessorAtAll) { EXPECT_FALSE(run_on({})); }

}  // namespace
}  // namespace copybench
