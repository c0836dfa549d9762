// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/host_memory.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "common/measurement/pattern.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;

constexpr std::size_t megabyte = std::size_t{1} << 20U;

std::uintptr_t number(const std::byte* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

// The line of /proc/self/maps that holds the address; empty when nothing is mapped there.
std::string mapping_of(const std::byte* memory) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::size_t dash = line.find('-');
    const auto begin = std::stoull(line.substr(0, dash), nullptr, 16);
    const auto end = std::stoull(line.substr(dash + 1), nullptr, 16);
    if (begin <= number(memory) && number(memory) < end) {
      return line;
    }
  }
  return "";
}

std::ptrdiff_t count_threads() {
  const std::filesystem::directory_iterator threads("/proc/self/task");
  return std::distance(begin(threads), end(threads));
}

// A thread can be seen for a moment after it was joined.
bool threads_become(std::ptrdiff_t count) {
  for (int i = 0; i < 10'000 && count_threads() != count; ++i) {
    std::this_thread::sleep_for(1ms);
  }
  return count_threads() == count;
}

// Where a program has memory, and how it gives it back.
struct Place {
  const char* name;
  std::byte* (*take)(std::size_t bytes);
  void (*give_back)(std::byte* memory, std::size_t bytes);
  std::size_t alignment;
};
void PrintTo(const Place& place, std::ostream* out) { *out << place.name; }

class HostMemory : public testing::TestWithParam<Place> {};

INSTANTIATE_TEST_SUITE_P(
    Of, HostMemory,
    testing::Values(Place{"Heap", [](std::size_t bytes) { return allocate_heap(bytes, false); },
                          [](std::byte* memory, std::size_t) { free_heap(memory); }, 2 * megabyte},
                    Place{"HugePages", [](std::size_t bytes) { return allocate_heap(bytes, true); },
                          [](std::byte* memory, std::size_t) { free_heap(memory); }, 2 * megabyte},
                    Place{"File", map_file, unmap_file, 4096},
                    Place{"Stack", borrow_stack,
                          [](std::byte* memory, std::size_t) { give_back_stack(memory); }, 4096}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST_P(HostMemory, IsZeroAndHoldsWhatIsWrittenToEveryByte) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{4097}, 3 * megabyte + 5}) {
    std::byte* const memory = GetParam().take(bytes);
    EXPECT_EQ(compare_constant({memory, bytes}, std::byte{0}).count, 0U);
    fill_pattern({memory, bytes}, batch_seed(bytes));
    EXPECT_EQ(compare_pattern({memory, bytes}, batch_seed(bytes)).count, 0U);
    GetParam().give_back(memory, bytes);
  }
}

TEST_P(HostMemory, IsAligned) {
  std::byte* const memory = GetParam().take(1);
  EXPECT_EQ(number(memory) % GetParam().alignment, 0U);
  GetParam().give_back(memory, 1);
}

TEST_P(HostMemory, CanBeHadSeveralTimesAtOnce) {
  constexpr std::size_t bytes = megabyte + 1;
  std::vector<std::byte*> all;
  for (std::uint64_t i = 0; i < 4; ++i) {
    all.push_back(GetParam().take(bytes));
    fill_pattern({all.back(), bytes}, batch_seed(i));
  }
  // In another order than they came, and the others keep what they hold.
  for (const std::size_t i : {std::size_t{1}, std::size_t{3}, std::size_t{0}, std::size_t{2}}) {
    EXPECT_EQ(compare_pattern({all[i], bytes}, batch_seed(i)).count, 0U) << i;
    GetParam().give_back(all[i], bytes);
  }
}

TEST(FileMemory, IsASharedMappingOfAFileWithoutAName) {
  constexpr std::size_t bytes = std::size_t{5} * 4096;
  std::byte* const memory = map_file(bytes);
  const std::string mapping = mapping_of(memory);
  EXPECT_NE(mapping.find(" rw-s "), std::string::npos) << mapping;
  EXPECT_NE(mapping.find("(deleted)"), std::string::npos) << mapping;
  EXPECT_EQ(mapping_of(memory + bytes - 1), mapping);
  unmap_file(memory, bytes);
  EXPECT_EQ(mapping_of(memory), "");
}

TEST(FileMemory, KeepsNoFileOpen) {
  const auto open_files = [] {
    const std::filesystem::directory_iterator files("/proc/self/fd");
    return std::distance(begin(files), end(files));
  };
  const auto before = open_files();
  std::byte* const memory = map_file(4096);
  EXPECT_EQ(open_files(), before);
  unmap_file(memory, 4096);
}

TEST(FileMemory, ThatTheDiskHasNoRoomForIsRefused) {
  EXPECT_THROW((void)map_file(std::size_t{1} << 60U), std::system_error);
}

TEST(StackMemory, IsTheStackOfAThreadThatEndsWhenItIsGivenBack) {
  const auto before = count_threads();
  std::byte* const first = borrow_stack(megabyte);
  std::byte* const second = borrow_stack(megabyte);
  EXPECT_TRUE(threads_become(before + 2));
  give_back_stack(first);
  EXPECT_TRUE(threads_become(before + 1));
  give_back_stack(second);
  EXPECT_TRUE(threads_become(before));
}

TEST(StackMemory, ThatWasNotLentIsNotTakenBack) {
  const auto before = count_threads();
  std::byte* const lent = borrow_stack(4096);
  give_back_stack(lent + 1);
  EXPECT_TRUE(threads_become(before + 1));
  give_back_stack(lent);
  EXPECT_TRUE(threads_become(before));
}

}  // namespace
}  // namespace copybench
