// SPDX-License-Identifier: Apache-2.0
#include "common/measurement/call_observer.hpp"

#include <array>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "common/measurement/blocked_call.hpp"

namespace copybench {
namespace {

// Writes down what it is told, and stands in the global place while it lives.
class Listener final : public CallObserver {
 public:
  Listener() { call_observer = this; }
  ~Listener() override { call_observer = nullptr; }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  Listener(Listener&&) = delete;
  Listener& operator=(Listener&&) = delete;

  void begin_call() noexcept override { heard += '('; }
  void end_call() noexcept override { heard += ')'; }

  std::string heard;
};

class CallObserverTest : public testing::TestWithParam<Queue> {
 protected:
  void take_sample(const auto& operation) {
    std::array<Nanoseconds, 4> durations{};
    call_.sample(std::span(durations).first(call_.figures().size()), operation);
  }

  Stream stream_{StreamKind::nonblocking};
  Stream elsewhere_{StreamKind::nonblocking};
  Gate gate_;
  BlockedCall call_{GetParam(), stream_, elsewhere_, gate_};
};

INSTANTIATE_TEST_SUITE_P(Queues, CallObserverTest,
                         testing::Values(Queue::idle, Queue::busy, Queue::busy_elsewhere),
                         [](const auto& tested) {
                           return std::string(
                               queue_names.at(static_cast<std::size_t>(tested.param)));
                         });

TEST_P(CallObserverTest, IsToldOfEverySampledCallAndOfNoOther) {
  Listener listener;
  const auto operation = [&] { listener.heard += 'c'; };
  call_.choose_hold(0, [] {});
  EXPECT_EQ(listener.heard, "");
  take_sample(operation);
  take_sample(operation);
  EXPECT_EQ(listener.heard, "(c)(c)");
}

TEST_P(CallObserverTest, IsToldOfTheEndOfACallThatThrows) {
  Listener listener;
  call_.choose_hold(0, [] {});
  EXPECT_THROW(take_sample([] { throw std::runtime_error("no"); }), std::runtime_error);
  EXPECT_EQ(listener.heard, "()");
}

TEST_P(CallObserverTest, IsMissedByNobody) {
  call_.choose_hold(0, [] {});
  EXPECT_EQ(call_observer, nullptr);
  bool was_called = false;
  take_sample([&] { was_called = true; });
  EXPECT_TRUE(was_called);
}

}  // namespace
}  // namespace copybench
