// SPDX-License-Identifier: Apache-2.0
#include "common/staging/store.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace copybench {
namespace {

constexpr std::byte junk{0xee};
constexpr std::size_t kib = std::size_t{1} << 10U;
constexpr std::size_t mib = std::size_t{1} << 20U;

class HostCopy : public testing::TestWithParam<Store> {
 protected:
  HostCopy() : source_(40'000) {
    for (std::size_t i = 0; i < source_.size(); ++i) {
      source_[i] = static_cast<std::byte>(i * 7 + i / 256);
    }
  }

  // Bytes that differ arrive, and nothing outside is touched.
  void expect_exact(std::size_t from, std::size_t to, std::size_t bytes) const {
    std::vector<std::byte> expected(to + bytes + 80, junk);
    std::copy_n(source_.begin() + static_cast<std::ptrdiff_t>(from), bytes,
                expected.begin() + static_cast<std::ptrdiff_t>(to));
    std::vector<std::byte> got(expected.size(), junk);
    host_copy(GetParam(), got.data() + to, source_.data() + from, bytes);
    ASSERT_EQ(got, expected) << from << " to " << to << ", " << bytes;
  }

 private:
  std::vector<std::byte> source_;
};

TEST_P(HostCopy, CopiesExactlyTheBytesAtEveryAlignment) {
  for (std::size_t from = 0; from < 17; ++from) {
    for (std::size_t to = 0; to < 65; ++to) {
      for (const std::size_t bytes : {0U, 1U, 15U, 63U, 64U, 65U, 127U, 128U, 200U}) {
        expect_exact(from, to, bytes);
      }
    }
  }
}

// Pages are copied four at a time, or one.
TEST_P(HostCopy, CopiesExactlyThePages) {
  for (const std::size_t from : {0U, 1U, 4095U}) {
    for (const std::size_t to : {0U, 1U, 63U}) {
      for (const std::size_t pages : {1U, 4U, 5U, 8U}) {
        for (const std::size_t bytes : {pages * 4096 - 1, pages * 4096, pages * 4096 + 129}) {
          expect_exact(from, to, bytes);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, HostCopy,
                         testing::Values(Store::cached, Store::demoted, Store::streamed),
                         [](const auto& tested) {
                           return std::string(
                               store_names.at(static_cast<std::size_t>(tested.param)));
                         });

constexpr RingUse eight{.threads = 8, .ring_bytes = 32 * mib};

TEST(StoreToRing, OfASmallArrayIsPastTheCaches) {
  EXPECT_EQ(store_to_ring(32 * kib - 1, 0, eight), Store::cached);
  EXPECT_EQ(store_to_ring(32 * kib, 0, eight), Store::streamed);
  EXPECT_EQ(store_to_ring(32 * mib, 0, eight), Store::streamed);
  EXPECT_EQ(store_to_ring(32 * mib, 32 * mib - 1, eight), Store::streamed);
}

TEST(StoreToRing, OfALargeArrayIsDemotedAtTheEndAlone) {
  constexpr std::size_t bytes = 100 * mib;
  EXPECT_EQ(store_to_ring(bytes, 0, eight), Store::cached);
  EXPECT_EQ(store_to_ring(bytes, 84 * mib - 1, eight), Store::cached);
  EXPECT_EQ(store_to_ring(bytes, 84 * mib, eight), Store::demoted);
  EXPECT_EQ(store_to_ring(bytes, bytes - 1, eight), Store::demoted);
  EXPECT_EQ(store_to_ring(32 * mib + 1, 0, eight), Store::cached);
}

TEST(StoreToRing, FewThreadsAlwaysGoPastTheCaches) {
  EXPECT_EQ(store_to_ring(100 * mib, 0, {4, 32 * mib}), Store::streamed);
  EXPECT_EQ(store_to_ring(100 * mib, 0, {5, 32 * mib}), Store::cached);
  EXPECT_EQ(store_to_ring(32 * kib - 1, 0, {1, 32 * mib}), Store::cached);
}

TEST(StoreToRing, ASmallRingIsPastTheCaches) {
  EXPECT_EQ(store_to_ring(100 * mib, 0, {8, 16 * mib - 1}), Store::streamed);
  EXPECT_EQ(store_to_ring(100 * mib, 0, {8, 16 * mib}), Store::cached);
}

TEST(StoreToArray, OfALargeArrayIsPastTheCaches) {
  EXPECT_EQ(store_to_array(4 * mib - 1), Store::cached);
  EXPECT_EQ(store_to_array(4 * mib), Store::streamed);
}

}  // namespace
}  // namespace copybench
