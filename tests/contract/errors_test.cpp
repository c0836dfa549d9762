// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <thread>

#include "common/cuda/check.hpp"
#include "common/cuda/event.hpp"
#include "common/kernels.hpp"
#include "tests/contract/contract.hpp"

namespace copybench {
namespace {

constexpr int no_such_device = 100'000;

using Errors = Contract;

TEST_F(Errors, ReadingTheLastErrorClearsIt) {
  documented("cudaGetLastError returns the last error and resets it");
  EXPECT_EQ(cudaSetDevice(no_such_device), cudaErrorInvalidDevice);
  const cudaError_t first = cudaGetLastError();
  const cudaError_t second = cudaGetLastError();
  EXPECT_EQ(first, cudaErrorInvalidDevice);
  EXPECT_EQ(second, cudaSuccess);
  observed(std::string(cudaGetErrorName(first)) + ", then " + cudaGetErrorName(second));
}

TEST_F(Errors, PeekingDoesNotClearIt) {
  documented("cudaPeekAtLastError does not reset the error");
  EXPECT_EQ(cudaSetDevice(no_such_device), cudaErrorInvalidDevice);
  const cudaError_t first = cudaPeekAtLastError();
  const cudaError_t second = cudaGetLastError();
  EXPECT_EQ(first, cudaErrorInvalidDevice);
  EXPECT_EQ(second, cudaErrorInvalidDevice);
  observed(std::string(cudaGetErrorName(first)) + ", then " + cudaGetErrorName(second));
}

TEST_F(Errors, ASuccessfulCallDoesNotClearIt) {
  documented("the last error that any call of the thread has produced");
  EXPECT_EQ(cudaSetDevice(no_such_device), cudaErrorInvalidDevice);
  stream_.sync();
  const cudaError_t code = cudaGetLastError();
  EXPECT_EQ(code, cudaErrorInvalidDevice);
  observed(cudaGetErrorName(code));
}

TEST_F(Errors, BelongToTheirThread) {
  documented("the last error of the calling host thread");
  cudaError_t other = cudaErrorUnknown;
  EXPECT_EQ(cudaSetDevice(no_such_device), cudaErrorInvalidDevice);
  std::thread([&] { other = cudaGetLastError(); }).join();
  EXPECT_EQ(other, cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  observed(std::string("in another thread: ") + cudaGetErrorName(other));
}

TEST_F(Errors, ACallThatWasRefusedDoesNotHarmTheNextOne) {
  documented("not documented");
  EXPECT_EQ(cudaSetDevice(no_such_device), cudaErrorInvalidDevice);
  const std::string code = result_of(cudaStreamSynchronize(stream_.get()));
  observed(code);
}

TEST_F(Errors, NotReadyAsTheLastError) {
  documented("not actually an error; whether it is the last error, is not said");
  Event event;
  gate_.close(stream_);
  event.record(stream_);
  Outcomes seen;
  EXPECT_EQ(cudaStreamQuery(stream_.get()), cudaErrorNotReady);
  seen.emplace_back("cudaStreamQuery", cudaGetErrorName(cudaGetLastError()));
  EXPECT_EQ(cudaEventQuery(event.get()), cudaErrorNotReady);
  seen.emplace_back("cudaEventQuery", cudaGetErrorName(cudaGetLastError()));
  (void)gate_.open();
  stream_.sync();
  observed(describe(seen));
}

TEST_F(Errors, AGridWithoutBlocksIsRefused) {
  documented("not documented");
  try {
    launch_scale(stream_, nullptr, 0, 1.0F, 0);
    FAIL() << "was launched";
  } catch (const CudaError& error) {
    observed(cudaGetErrorName(error.code()));
  }
}

TEST_F(Errors, AnUnknownCodeHasAText) {
  documented("\"unrecognized error code\"");
  const std::string text = cudaGetErrorString(static_cast<cudaError_t>(9876));
  EXPECT_EQ(text, "unrecognized error code");
  observed(text);
}

}  // namespace
}  // namespace copybench
