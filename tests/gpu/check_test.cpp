// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/check.hpp"

#include <cstdio>
#include <source_location>
#include <string>
#include <unistd.h>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "common/cuda/copy.hpp"
#include "common/cuda/stream.hpp"
#include "common/kernels.hpp"
#include "tests/gpu/trap.hpp"

namespace copybench {
namespace {

constexpr int no_such_device = 100'000;

TEST(Check, SuccessPasses) { EXPECT_NO_THROW(check(cudaFree(nullptr), "cudaFree")); }

TEST(Check, AFailureCarriesCallNameAndPlace) {
  const auto line = std::source_location::current().line() + 2;
  try {
    check(cudaSetDevice(no_such_device), "cudaSetDevice");
    FAIL() << "did not throw";
  } catch (const CudaError& error) {
    EXPECT_EQ(error.code(), cudaErrorInvalidDevice);
    EXPECT_EQ(error.api(), "cudaSetDevice");
    EXPECT_EQ(error.what(), "cudaSetDevice: cudaErrorInvalidDevice (" +
                                std::string(cudaGetErrorString(cudaErrorInvalidDevice)) +
                                ") at check_test.cpp:" + std::to_string(line));
  }
}

TEST(Check, ClearsTheLastError) {
  EXPECT_THROW(check(cudaSetDevice(no_such_device), "cudaSetDevice"), CudaError);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  const Stream stream(StreamKind::nonblocking);
  EXPECT_NO_THROW(launch_timed_gate(stream, 1000));
  stream.sync();
}

TEST(Check, NamesTheCopyThatWasRefused) {
  const Stream stream(StreamKind::nonblocking);
  std::byte source{};
  try {
    copy_async(nullptr, &source, 1, Direction::h2d, stream);
    FAIL() << "did not throw";
  } catch (const CudaError& error) {
    EXPECT_EQ(error.code(), cudaErrorInvalidValue);
    EXPECT_NE(std::string(error.what()).find("cudaMemcpyAsync: cudaErrorInvalidValue"),
              std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("at copy.cpp:"), std::string::npos) << error.what();
  }
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  EXPECT_NO_THROW(stream.sync());
}

TEST(Check, NamesTheKernelThatWasNotLaunched) {
  const Stream stream(StreamKind::nonblocking);
  try {
    launch_scale(stream, nullptr, 0, 1.0F, 0);  // a grid without blocks
    FAIL() << "did not throw";
  } catch (const CudaError& error) {
    // CUDA 12 gives the first, CUDA 13 the second.
    EXPECT_TRUE(error.code() == cudaErrorInvalidConfiguration ||
                error.code() == cudaErrorInvalidValue)
        << error.what();
    EXPECT_EQ(error.api(), "scale launch");
  }
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

TEST(ContextIsLost, NotByAnOrdinaryFailure) {
  (void)cudaSetDevice(no_such_device);
  EXPECT_FALSE(context_is_lost());
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

// Runs in a process of its own.
[[noreturn]] void lose_the_context() {
  alarm(30);
  if (context_is_lost()) {
    _exit(2);
  }
  const Stream stream(StreamKind::nonblocking);
  launch_trap(stream);
  try {
    stream.sync();
    _exit(3);
  } catch (const CudaError& error) {
    (void)std::fprintf(stderr, "%s\n", error.what());
  }
  const bool at_once = context_is_lost();
  const bool for_good = context_is_lost();
  _exit(at_once && for_good ? 0 : 4);
}

TEST(ContextIsLostDeathTest, ByAKernelThatTraps) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(lose_the_context(), testing::ExitedWithCode(0), "cudaStreamSynchronize: cudaError");
}

}  // namespace
}  // namespace copybench
