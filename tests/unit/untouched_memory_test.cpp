// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/untouched_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <new>
#include <sys/mman.h>
#include <vector>

#include <gtest/gtest.h>

#include "common/measurement/pattern.hpp"

namespace copybench {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t megabyte = std::size_t{1} << 20U;

// How many pages of the memory the system has given.
std::size_t given(std::span<std::byte> memory) {
  std::vector<unsigned char> pages((memory.size() + page - 1) / page);
  EXPECT_EQ(mincore(memory.data(), memory.size(), pages.data()), 0);
  return static_cast<std::size_t>(
      std::ranges::count_if(pages, [](unsigned char state) { return (state & 1U) != 0; }));
}

// Some systems say of all pages that they are there.
bool can_tell() {
  void* const memory =
      mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool can = given({static_cast<std::byte*>(memory), page}) == 0;
  (void)munmap(memory, page);
  return can;
}

class UntouchedMemoryTest : public testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(On, UntouchedMemoryTest, testing::Bool(), [](const auto& tested) {
  return tested.param ? "HugePages" : "OrdinaryPages";
});

TEST_P(UntouchedMemoryTest, HasNoPagesUntilTheyAreTouched) {
  if (!can_tell()) {
    GTEST_SKIP() << "mincore does not tell";
  }
  const UntouchedMemory memory(4 * megabyte, GetParam());
  EXPECT_EQ(given(memory.bytes()), 0U);
  memory.bytes().front() = std::byte{1};
  EXPECT_GE(given(memory.bytes()), 1U);
  if (!GetParam()) {
    EXPECT_EQ(given(memory.bytes()), 1U);
  }
}

TEST_P(UntouchedMemoryTest, IsNewWhereOtherMemoryWasBefore) {
  for (std::uint64_t i = 0; i < 20; ++i) {
    const UntouchedMemory memory(megabyte + 5, GetParam());
    EXPECT_EQ(memory.bytes().size(), megabyte + 5);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.bytes().data()) % (2 * megabyte), 0U);
    EXPECT_TRUE(!can_tell() || given(memory.bytes()) == 0);
    EXPECT_EQ(compare_constant(memory.bytes(), std::byte{0}).count, 0U);
    fill_pattern(memory.bytes(), batch_seed(i));
    EXPECT_EQ(compare_pattern(memory.bytes(), batch_seed(i)).count, 0U);
  }
}

TEST(UntouchedMemoryTest, ThatTheSystemDoesNotHaveIsRefused) {
  EXPECT_THROW(const UntouchedMemory memory(std::size_t{1} << 60U, false), std::bad_alloc);
}

}  // namespace
}  // namespace copybench
