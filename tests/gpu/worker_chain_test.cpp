// SPDX-License-Identifier: Apache-2.0
// The worker and a caller who helps it do not take one request for another.
#include "common/chaining/worker_chain.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include <gtest/gtest.h>

#include "common/measurement/gate.hpp"
#include "tests/gpu/chain_memory.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

// The worker is held up while it asks for the first time, and learns then that the size is there.
class SlowArrival final : public SizeArrival {
 public:
  void enqueue(const ChainRequest& request, StreamView stream) override {
    arrival_.enqueue(request, stream);
  }
  [[nodiscard]] bool has_arrived() const override {
    if (std::this_thread::get_id() == caller_) {
      return arrival_.has_arrived();
    }
    if (++asked_ > 1) {
      return arrival_.has_arrived();
    }
    while (held_) {
      std::this_thread::yield();
    }
    return true;
  }
  void deliver(const ChainRequest& request) const override { arrival_.deliver(request); }

  // Gives up after a while, because a worker that is wrong asks no more.
  void wait_until_asked(int times) const {
    const TimePoint give_up = now() + 2s;
    while (asked_ < times && now() < give_up) {
      std::this_thread::sleep_for(1ms);
    }
  }
  void release() { held_ = false; }

 private:
  EventArrival arrival_;
  std::thread::id caller_ = std::this_thread::get_id();
  mutable std::atomic<int> asked_ = 0;
  std::atomic<bool> held_ = true;
};

TEST(WorkerChain, AnAnswerToOneRequestIsNotTakenForTheNext) {
  constexpr std::int32_t room_for = 100;
  ChainMemory memory(room_for);
  const Stream stream(StreamKind::nonblocking);
  Gate gate;
  auto owned = std::make_unique<SlowArrival>();
  SlowArrival& arrival = *owned;
  WorkerChain chain(stream, std::move(owned), CallerHelps::yes);

  memory.prepare(5, 7);
  chain.start(memory.request());
  arrival.wait_until_asked(1);
  chain.finish();
  memory.require_delivered(5);

  memory.prepare(50, 7);
  gate.close(stream);
  chain.start(memory.request());
  arrival.release();
  arrival.wait_until_asked(2);
  (void)gate.open();
  chain.finish();
  EXPECT_EQ(*memory.host_size(), 50);
  EXPECT_NO_THROW(memory.require_delivered(50));
}

}  // namespace
}  // namespace copybench
