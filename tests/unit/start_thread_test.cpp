// SPDX-License-Identifier: Apache-2.0
#include "common/start_thread.hpp"

#include <cstddef>
#include <pthread.h>
#include <string>

#include <gtest/gtest.h>

namespace copybench {
namespace {

// No stack of that size is to be had.
class NoMoreThreads {
 public:
  NoMoreThreads() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t attributes = before_;
    pthread_attr_setstacksize(&attributes, std::size_t{1} << 46U);
    pthread_setattr_default_np(&attributes);
  }
  ~NoMoreThreads() { pthread_setattr_default_np(&before_); }
  NoMoreThreads(const NoMoreThreads&) = delete;
  NoMoreThreads& operator=(const NoMoreThreads&) = delete;
  NoMoreThreads(NoMoreThreads&&) = delete;
  NoMoreThreads& operator=(NoMoreThreads&&) = delete;

 private:
  pthread_attr_t before_{};
};

TEST(StartThread, Runs) {
  bool ran = false;
  start_thread([&] { ran = true; }).join();
  EXPECT_TRUE(ran);
}

TEST(StartThread, SaysThatItIsAThreadThatIsNotToBeHad) {
  const NoMoreThreads limit;
  try {
    start_thread([] {}).join();
    FAIL() << "a thread with a stack of 64 TiB";
  } catch (const std::system_error& error) {
    EXPECT_EQ(std::string(error.what()).find("cannot start a thread: "), 0U) << error.what();
    EXPECT_EQ(error.code(), std::errc::resource_unavailable_try_again);
  }
}

}  // namespace
}  // namespace copybench
