// SPDX-License-Identifier: Apache-2.0
#include "common/measurement/helper_thread.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "common/cuda/check.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;

TEST(HelperThread, DoesEachJobOnceOnAnotherThread) {
  HelperThread helper;
  for (int i = 0; i < 1000; ++i) {
    int done = 0;
    std::thread::id worker;
    helper.start([&] {
      ++done;
      worker = std::this_thread::get_id();
    });
    helper.join_job();
    ASSERT_EQ(done, 1) << i;
    ASSERT_NE(worker, std::this_thread::get_id());
  }
}

TEST(HelperThread, RunsBesideTheThreadThatStartedIt) {
  HelperThread helper;
  std::atomic<bool> may_end = false;
  helper.start([&] { may_end.wait(false); });
  may_end = true;
  may_end.notify_one();
  helper.join_job();
}

TEST(HelperThread, WhatTheJobThrowsIsThrownByItsJoinAlone) {
  HelperThread helper;
  helper.start([] { throw std::out_of_range("of the job"); });
  EXPECT_THROW(helper.join_job(), std::out_of_range);
  EXPECT_NO_THROW(helper.join_job());
  helper.start([] {});
  EXPECT_NO_THROW(helper.join_job());
}

TEST(HelperThread, JoiningWithoutAJobReturns) { HelperThread().join_job(); }

TEST(HelperThread, ASecondJobBeforeTheFirstIsJoinedIsRefused) {
  HelperThread helper;
  helper.start([] {});
  EXPECT_THROW(helper.start([] {}), std::logic_error);
  helper.join_job();
}

TEST(HelperThread, DestroyingItWaitsForTheJob) {
  std::atomic<bool> done = false;
  auto helper = std::make_unique<HelperThread>();
  helper->start([&] {
    std::this_thread::sleep_for(20ms);
    done = true;
  });
  helper.reset();
  EXPECT_TRUE(done);
}

TEST(HelperThread, AFailureThatNobodyJoinsIsDropped) {
  for (int i = 0; i < 100; ++i) {
    HelperThread helper;
    helper.start([] { throw std::runtime_error("nobody asks"); });
  }
}

TEST(HelperThread, WorksOnTheDeviceOfItsCreator) {
  int count = 0;
  check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  if (count < 2) {
    GTEST_SKIP() << "one device";
  }
  int before = 0;
  check(cudaGetDevice(&before), "cudaGetDevice");
  check(cudaSetDevice(1 - before), "cudaSetDevice");
  HelperThread helper;
  check(cudaSetDevice(before), "cudaSetDevice");
  int device = before;
  helper.start([&] { check(cudaGetDevice(&device), "cudaGetDevice"); });
  helper.join_job();
  EXPECT_EQ(device, 1 - before);
}

}  // namespace
}  // namespace copybench
