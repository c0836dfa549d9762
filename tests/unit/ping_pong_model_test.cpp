// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/ping_pong_model.hpp"

#include <array>
#include <vector>

#include <gtest/gtest.h>

namespace copybench {
namespace {

using Beginning = std::array<double, 7>;

constexpr std::size_t elements = 12;

void expect_begins(const std::vector<double>& host, const Beginning& beginning) {
  ASSERT_EQ(host.size(), elements);
  for (std::size_t i = 0; i < beginning.size(); ++i) {
    EXPECT_DOUBLE_EQ(host[i], beginning.at(i)) << "element " << i;
  }
  for (std::size_t i = beginning.size(); i < elements; ++i) {
    EXPECT_EQ(host[i], 0.14) << "element " << i;
  }
}

TEST(PingPongModel, CorrectSizes) {
  PingPongModel model(elements);
  expect_begins(model.step(0, 5), {1.14, 3.14, 5.14, 7.14, 9.14, 0.14, 0.14});
  expect_begins(model.step(1, 3), {1.14, 4.14, 7.14, 7.14, 9.14, 0.14, 0.14});
  expect_begins(model.step(2, 4), {2.14, 8.14, 14.14, 20.14, 9.14, 0.14, 0.14});
}

// The sizes that happen to be in host memory when the copies are enqueued.
TEST(PingPongModel, StaleSizes) {
  PingPongModel model(elements);
  expect_begins(model.step(0, 2), {1.14, 3.14, 0.14, 0.14, 0.14, 0.14, 0.14});
  expect_begins(model.step(1, 7), {1.14, 4.14, 7.14, 10.14, 13.14, 16.14, 19.14});
  expect_begins(model.step(2, 5), {2.14, 8.14, 14.14, 20.14, 26.14, 16.14, 19.14});
}

TEST(PingPongModel, NothingCopied) {
  PingPongModel model(elements);
  for (std::size_t k = 0; k < PingPongModel::launches; ++k) {
    expect_begins(model.step(k, 0), {0.14, 0.14, 0.14, 0.14, 0.14, 0.14, 0.14});
  }
}

TEST(PingPongModel, EverythingCopied) {
  PingPongModel model(elements);
  const std::vector<double> first = model.step(0, elements);
  const std::vector<double> second = model.step(1, elements);
  const std::vector<double> third = model.step(2, elements);
  for (std::size_t i = 0; i < elements; ++i) {
    const auto x = static_cast<double>(i);
    EXPECT_DOUBLE_EQ(first[i], 1.14 + 2 * x);
    EXPECT_DOUBLE_EQ(second[i], 1.14 + 3 * x);
    // The half of k = 0 again, so both increments.
    EXPECT_DOUBLE_EQ(third[i], 2.14 + 6 * x);
  }
}

TEST(PingPongModel, NumbersOfTheQuestion) {
  EXPECT_EQ(PingPongModel::sizes, (std::array<std::int32_t, 3>{5, 3, 4}));
  EXPECT_EQ(PingPongModel::old_sizes, (std::array<std::int32_t, 2>{2, 7}));
}

}  // namespace
}  // namespace copybench
