// SPDX-License-Identifier: Apache-2.0
#include "common/suite/memory_budget.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "tests/unit/fake_root.hpp"

namespace copybench {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20U;
constexpr std::size_t gib = std::size_t{1} << 30U;

TEST(FreeHostMemory, WithoutGroupsIsWhatIsAvailable) {
  const FakeRoot root;
  root.write("proc/meminfo", "MemTotal: 4000 kB\nMemAvailable:    3000 kB\n");
  EXPECT_EQ(free_host_memory(root.path()), 3000U * 1024);
}

TEST(FreeHostMemory, IsUnlimitedWhenNothingCanBeRead) {
  EXPECT_EQ(free_host_memory(FakeRoot().path()), std::numeric_limits<std::size_t>::max());
}

TEST(FreeHostMemory, AGroupOfVersion2GivesItsLimitLessItsUse) {
  const FakeRoot root;
  root.write("proc/meminfo", "MemAvailable: 999999999 kB\n");
  root.write("proc/self/cgroup", "0::/box\n");
  root.write("sys/fs/cgroup/box/memory.max", "1000000\n");
  root.write("sys/fs/cgroup/box/memory.current", "400000\n");
  EXPECT_EQ(free_host_memory(root.path()), 600000U);
  // The page cache does not count.
  root.write("sys/fs/cgroup/box/memory.stat", "anon 1\ninactive_file 300000\nactive_file 7\n");
  EXPECT_EQ(free_host_memory(root.path()), 900000U);
}

TEST(FreeHostMemory, AGroupFurtherUpCounts) {
  const FakeRoot root;
  root.write("proc/self/cgroup", "0::/slice/box\n");
  root.write("sys/fs/cgroup/slice/box/memory.max", "max\n");
  root.write("sys/fs/cgroup/slice/box/memory.current", "5\n");
  root.write("sys/fs/cgroup/slice/memory.max", "100\n");
  root.write("sys/fs/cgroup/slice/memory.current", "60\n");
  EXPECT_EQ(free_host_memory(root.path()), 40U);
}

TEST(FreeHostMemory, InAContainerTheGroupIsTheRoot) {
  const FakeRoot root;
  root.write("proc/self/cgroup", "0::/\n");
  root.write("sys/fs/cgroup/memory.max", "100\n");
  root.write("sys/fs/cgroup/memory.current", "160\n");  // over its limit: nothing is left
  EXPECT_EQ(free_host_memory(root.path()), 0U);
}

TEST(FreeHostMemory, AGroupOfVersion1) {
  const FakeRoot root;
  root.write("proc/self/cgroup", "5:cpu,cpuacct:/other\n4:memory:/box\n");
  root.write("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "1000\n");
  root.write("sys/fs/cgroup/memory/box/memory.usage_in_bytes", "300\n");
  root.write("sys/fs/cgroup/memory/box/memory.stat", "total_inactive_file 100\n");
  EXPECT_EQ(free_host_memory(root.path()), 800U);
}

// Of 8 GiB, 7 are for buffers; a kind takes twice its largest size, once for each role.
TEST(MemoryBudget, CountsTheLargestOfEachKindTwice) {
  MemoryBudget budget({.host = 8 * gib, .device = 8 * gib});
  EXPECT_FALSE(budget.admit({{MemoryKind::pinned, 2 * gib}}));
  EXPECT_FALSE(budget.admit({{MemoryKind::pinned, 1 * gib}}));
  EXPECT_FALSE(budget.admit({{MemoryKind::pageable, 1 * gib}}));
  EXPECT_TRUE(budget.admit({{MemoryKind::registered, 1 * gib}}));
  // A case that does not fit takes nothing.
  EXPECT_FALSE(budget.admit({{MemoryKind::registered, 512 * mib}}));
  EXPECT_TRUE(budget.admit({{MemoryKind::pageable_thp, 1}}));
}

TEST(MemoryBudget, HostAndDeviceAreApart) {
  MemoryBudget budget({.host = 8 * mib, .device = 8 * gib});
  EXPECT_FALSE(budget.admit({{MemoryKind::device, 3 * gib}}));
  const auto reason = budget.admit({{MemoryKind::pinned, 4 * mib}, {MemoryKind::device, 1}});
  EXPECT_EQ(reason,
            "too little host memory: the buffers up to here take 8 MiB, 7 MiB are free for them");
  EXPECT_EQ(budget.admit({{MemoryKind::device, 4 * gib}}),
            "too little device memory: the buffers up to here take 8192 MiB, 7168 MiB are free "
            "for them");
}

TEST(MemoryBudget, AKindAskedForTwiceByOneCaseAddsUp) {
  MemoryBudget budget({.host = 8 * gib, .device = 0});
  EXPECT_TRUE(budget.admit({{MemoryKind::pinned, 2 * gib}, {MemoryKind::pinned, 2 * gib}}));
}

TEST(MemoryBudget, ManagedMemoryIsCapped) {
  MemoryBudget budget({.host = 800 * gib, .device = 800 * gib});
  EXPECT_FALSE(budget.admit({{MemoryKind::managed, gib}}));
  EXPECT_EQ(budget.admit({{MemoryKind::managed, gib + 1}}), "more than 1024 MiB of managed memory");
}

TEST(MemoryBudget, DoesNotOverflow) {
  MemoryBudget budget({.host = std::numeric_limits<std::size_t>::max(), .device = 0});
  const std::size_t huge = std::numeric_limits<std::size_t>::max() / 2 + 1;
  EXPECT_TRUE(budget.admit({{MemoryKind::pinned, huge}, {MemoryKind::pinned, huge}}));
}

TEST(MemoryBudget, ACaseThatNeedsNothingAlwaysFits) {
  EXPECT_FALSE(MemoryBudget({.host = 0, .device = 0}).admit({}));
}

}  // namespace
}  // namespace copybench
