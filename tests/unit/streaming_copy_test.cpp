// SPDX-License-Identifier: Apache-2.0
#include "common/staging/streaming_copy.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace copybench {
namespace {

constexpr std::byte junk{0xee};

// All alignments of both ends, to and from: bytes that differ, and nothing outside is touched.
TEST(StreamingCopy, CopiesExactlyTheBytesAtEveryAlignment) {
  std::vector<std::byte> source(400);
  for (std::size_t i = 0; i < source.size(); ++i) {
    source[i] = static_cast<std::byte>(i * 7 + i / 256);
  }
  for (std::size_t from = 0; from < 17; ++from) {
    for (std::size_t to = 0; to < 65; ++to) {
      for (const std::size_t bytes : {0U, 1U, 15U, 63U, 64U, 65U, 127U, 128U, 200U}) {
        std::vector<std::byte> expected(300, junk);
        std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(from), bytes,
                    expected.begin() + static_cast<std::ptrdiff_t>(to));
        std::vector<std::byte> got(300, junk);
        streaming_copy(got.data() + to, source.data() + from, bytes);
        ASSERT_EQ(got, expected) << from << " to " << to << ", " << bytes;
      }
    }
  }
}

}  // namespace
}  // namespace copybench
