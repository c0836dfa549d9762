// SPDX-License-Identifier: Apache-2.0
#include "common/staging/thread_crew.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

namespace copybench {
namespace {

void do_nothing() {}

// Waits, as a leader may not, until a helper has come; false: none has within a minute.
bool wait_until(const std::function<bool()>& is_so) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!is_so() && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::yield();
  }
  return is_so();
}

TEST(ThreadCrew, SoManyAsAreAskedForHelpEachOnceInAThreadOfItsOwn) {
  for (const std::size_t threads : {1U, 2U, 5U, 16U}) {
    ThreadCrew crew(threads, do_nothing);
    ASSERT_EQ(crew.size(), threads);
    for (std::size_t helpers = 0; helpers < threads; ++helpers) {
      std::mutex mutex;
      std::multiset<std::thread::id> helped;
      std::atomic<std::size_t> called = 0;
      std::thread::id led;
      crew.run(
          helpers,
          [&] {
            led = std::this_thread::get_id();
            ASSERT_TRUE(wait_until([&] { return called == helpers; })) << helpers;
          },
          [&] {
            const std::scoped_lock lock(mutex);
            helped.insert(std::this_thread::get_id());
            ++called;
          });
      EXPECT_EQ(led, std::this_thread::get_id());
      EXPECT_EQ(helped.size(), helpers);
      EXPECT_EQ(std::set(helped.begin(), helped.end()).size(), helpers);
      EXPECT_FALSE(helped.contains(led));
    }
  }
}

TEST(ThreadCrew, NoThreadsAreOneAndMoreHelpersThanThereAreAreAll) {
  ThreadCrew alone(0, do_nothing);
  EXPECT_EQ(alone.size(), 1U);
  int led = 0;
  alone.run(7, [&] { ++led; }, [] { FAIL(); });
  EXPECT_EQ(led, 1);
}

TEST(ThreadCrew, ReturnsWhenAllThatHelpHaveReturnedAndNobodyBeginsLater) {
  ThreadCrew crew(4, do_nothing);
  std::atomic<int> helping = 0;
  for (int i = 0; i < 3000; ++i) {
    crew.run(
        static_cast<std::size_t>(i) % 4, [&] { std::this_thread::yield(); },
        [&] {
          ++helping;
          std::this_thread::yield();
          --helping;
        });
    ASSERT_EQ(helping, 0);
  }
}

TEST(ThreadCrew, OneThatIsLateForAJobDoesNotHelpWithTheNextUnasked) {
  ThreadCrew crew(8, do_nothing);
  std::atomic<int> unasked = 0;
  for (int i = 0; i < 1000; ++i) {
    crew.run(7, do_nothing, do_nothing);
    crew.run(
        0, [] { std::this_thread::sleep_for(std::chrono::microseconds(300)); }, [&] { ++unasked; });
  }
  EXPECT_EQ(unasked, 0);
}

TEST(ThreadCrew, OneThatHasNotWokenIsNotWaitedFor) {
  std::atomic<bool> begun = false;
  // Its only helper is as if asleep: it has not begun yet.
  ThreadCrew crew(2, [&] { begun.wait(false); });
  bool led = false;
  crew.run(1, [&] { led = true; }, [] { FAIL(); });
  EXPECT_TRUE(led);
  begun = true;
  begun.notify_all();
}

TEST(ThreadCrew, HelpersBeginWithWhatTheyAreTold) {
  std::mutex mutex;
  std::set<std::thread::id> begun;
  {
    const ThreadCrew crew(4, [&] {
      const std::scoped_lock lock(mutex);
      begun.insert(std::this_thread::get_id());
    });
  }
  EXPECT_EQ(begun.size(), 3U);
  EXPECT_FALSE(begun.contains(std::this_thread::get_id()));
}

TEST(ThreadCrew, ThrowsWhatTheLeaderThrowsWhenTheHelpersAreDoneAndGoesOn) {
  ThreadCrew crew(4, do_nothing);
  std::atomic<int> helped = 0;
  std::atomic<bool> is_over = false;
  const auto fail = [&] {
    EXPECT_TRUE(wait_until([&] { return helped == 3; }));
    is_over = true;
    is_over.notify_all();
    throw std::runtime_error("no copy");
  };
  EXPECT_THROW(crew.run(3, fail,
                        [&] {
                          ++helped;
                          is_over.wait(false);
                          ++helped;
                        }),
               std::runtime_error);
  EXPECT_EQ(helped, 6);
  is_over = false;
  helped = 0;
  crew.run(3, [&] { EXPECT_TRUE(wait_until([&] { return helped == 3; })); }, [&] { ++helped; });
  EXPECT_EQ(helped, 3);
}

}  // namespace
}  // namespace copybench
