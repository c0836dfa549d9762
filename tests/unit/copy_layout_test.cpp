// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include <gtest/gtest.h>

#include "common/cuda/copy_api.hpp"
#include "common/named_enum.hpp"

namespace copybench {

bool operator==(const CopyLayout& a, const CopyLayout& b) {
  return a.width == b.width && a.pitch == b.pitch && a.rows == b.rows;
}
void PrintTo(const CopyLayout& layout, std::ostream* out) {
  *out << layout.rows << " rows of " << layout.width << " every " << layout.pitch;
}

namespace {

constexpr int any_driver = 12000;

class EveryCopyApi : public testing::TestWithParam<CopyApi> {
 protected:
  static bool has_gaps() {
    const std::string_view name = name_of(GetParam(), copy_api_names);
    return name.find("2d") != std::string_view::npos || name.find("3d") != std::string_view::npos;
  }
  static bool is_batch() {
    return name_of(GetParam(), copy_api_names).find("batch") != std::string_view::npos;
  }
};

INSTANTIATE_TEST_SUITE_P(Named, EveryCopyApi,
                         testing::Values(CopyApi::memcpy, CopyApi::memcpy_async, CopyApi::memcpy_2d,
                                         CopyApi::memcpy_2d_async, CopyApi::memcpy_3d_async,
                                         CopyApi::memcpy_to_symbol_async,
                                         CopyApi::memcpy_batch_stream,
                                         CopyApi::memcpy_batch_during_call,
                                         CopyApi::memcpy_batch_any, CopyApi::graph_launch),
                         [](const auto& tested) {
                           return std::string(name_of(tested.param, copy_api_names));
                         });

TEST_P(EveryCopyApi, LaysItsBytesOutInRowsOfAKibibyteIfItHasRows) {
  for (const std::size_t rows : {std::size_t{1}, std::size_t{3}, std::size_t{4096}}) {
    const std::size_t bytes = 1024 * rows;
    EXPECT_EQ(copy_layout(GetParam(), bytes),
              (has_gaps() ? CopyLayout{1024, 2048, rows} : CopyLayout{bytes, bytes, 1}));
  }
}

TEST_P(EveryCopyApi, LaysBytesThatFillNoRowsOutInOne) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{1023}, std::size_t{1025}}) {
    EXPECT_EQ(copy_layout(GetParam(), bytes),
              (CopyLayout{bytes, has_gaps() ? 2 * bytes : bytes, 1}));
  }
}

TEST_P(EveryCopyApi, CopiesAllBytesAndNeedsRoomForTheGaps) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{5}, std::size_t{8192}}) {
    const CopyLayout layout = copy_layout(GetParam(), bytes);
    EXPECT_EQ(layout.width * layout.rows, bytes);
    EXPECT_EQ(layout.extent(), has_gaps() ? 2 * bytes : bytes);
  }
}

TEST_P(EveryCopyApi, ExistsFromItsFirstVersionOn) {
  const bool toolkit_has_batches = CUDART_VERSION >= 12080;
  EXPECT_EQ(has_copy_api(GetParam(), any_driver), !is_batch());
  EXPECT_EQ(has_copy_api(GetParam(), 12079), !is_batch());
  EXPECT_EQ(has_copy_api(GetParam(), 12080), !is_batch() || toolkit_has_batches);
  EXPECT_EQ(has_copy_api(GetParam(), 13000), !is_batch() || toolkit_has_batches);
}

}  // namespace
}  // namespace copybench
