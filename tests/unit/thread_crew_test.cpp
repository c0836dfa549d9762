// SPDX-License-Identifier: Apache-2.0
#include "common/staging/thread_crew.hpp"

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace copybench {
namespace {

void do_nothing() {}

std::string thrown_by(ThreadCrew& crew, std::size_t members, const ThreadCrew::Job& job) {
  try {
    crew.run(members, job);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(ThreadCrew, EachMemberWorksOnceInAThreadOfItsOwn) {
  for (const std::size_t threads : {1U, 2U, 5U, 16U}) {
    ThreadCrew crew(threads, do_nothing);
    ASSERT_EQ(crew.size(), threads);
    for (std::size_t members = 1; members <= threads; ++members) {
      std::mutex mutex;
      std::multiset<std::size_t> numbers;
      std::set<std::thread::id> ids;
      crew.run(members, [&](std::size_t number) {
        const std::scoped_lock lock(mutex);
        numbers.insert(number);
        ids.insert(std::this_thread::get_id());
      });
      EXPECT_EQ(numbers.size(), members);
      EXPECT_EQ(ids.size(), members);
      EXPECT_EQ(*numbers.begin(), 0U);
      EXPECT_EQ(*numbers.rbegin(), members - 1);
    }
  }
}

TEST(ThreadCrew, TheCallingThreadIsTheFirstMember) {
  ThreadCrew crew(3, do_nothing);
  std::thread::id first;
  crew.run(3, [&](std::size_t number) {
    if (number == 0) {
      first = std::this_thread::get_id();
    }
  });
  EXPECT_EQ(first, std::this_thread::get_id());
}

TEST(ThreadCrew, NoThreadsAreOne) {
  ThreadCrew crew(0, do_nothing);
  EXPECT_EQ(crew.size(), 1U);
}

TEST(ThreadCrew, ReturnsWhenAllHaveDoneTheJob) {
  ThreadCrew crew(4, do_nothing);
  for (int i = 0; i < 2000; ++i) {
    std::atomic<int> done = 0;
    crew.run(1 + static_cast<std::size_t>(i) % 4, [&](std::size_t) { ++done; });
    ASSERT_EQ(done, 1 + i % 4);
  }
}

TEST(ThreadCrew, TheOthersBeginWithWhatTheyAreTold) {
  std::mutex mutex;
  std::set<std::thread::id> begun;
  ThreadCrew crew(4, [&] {
    const std::scoped_lock lock(mutex);
    begun.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(begun.size(), 3U);
  EXPECT_FALSE(begun.contains(std::this_thread::get_id()));
}

TEST(ThreadCrew, WhatTheBeginningThrowsTheConstructorThrows) {
  EXPECT_THROW(ThreadCrew(3, [] { throw std::runtime_error("no device"); }), std::runtime_error);
}

TEST(ThreadCrew, ThrowsWhatTheLowestNumberThrewAndGoesOn) {
  ThreadCrew crew(4, do_nothing);
  std::atomic<int> done = 0;
  const auto fail_from = [&](std::size_t lowest) {
    return [&, lowest](std::size_t number) {
      ++done;
      if (number >= lowest) {
        throw std::runtime_error(std::to_string(number));
      }
    };
  };
  EXPECT_EQ(thrown_by(crew, 4, fail_from(2)), "2");
  EXPECT_EQ(thrown_by(crew, 4, fail_from(0)), "0");
  EXPECT_EQ(done, 8);
  EXPECT_EQ(thrown_by(crew, 4, [](std::size_t) {}), "nothing");
}

}  // namespace
}  // namespace copybench
