// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>

#include <gtest/gtest.h>

#include "copybench_build_info.hpp"

namespace copybench {
namespace {

bool is_hash(std::string_view text) {
  return text.size() >= 40 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

TEST(BuildInfo, CommitIsAFullHashOrUnknown) {
  EXPECT_TRUE(build_commit == "unknown" || is_hash(build_commit)) << build_commit;
}

TEST(BuildInfo, UnknownCommitIsNotCalledDirty) {
  EXPECT_FALSE(build_commit == "unknown" && build_dirty);
}

TEST(BuildInfo, NamesTheCompilersAndTheBuildType) {
  EXPECT_FALSE(build_type.empty());
  EXPECT_EQ(std::ranges::count(build_compiler, ' '), 1) << build_compiler;
  EXPECT_TRUE(build_cuda_compiler.starts_with("NVIDIA ") || build_cuda_compiler == "none")
      << build_cuda_compiler;
}

// The number is the only way to tell versions apart: Google Benchmark has no macro for it.
TEST(BuildInfo, BenchmarkVersionIsOneThatIsSupported) {
  EXPECT_GE(COPYBENCH_BENCHMARK_VERSION, 10701);
  EXPECT_LT(COPYBENCH_BENCHMARK_VERSION, 100000);
}

}  // namespace
}  // namespace copybench
