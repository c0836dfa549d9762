// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <atomic>
#include <cstddef>
#include <ostream>
#include <thread>

#include "common/cuda/check.hpp"
#include "common/cuda/copy.hpp"
#include "common/cuda/event.hpp"
#include "common/kernels.hpp"
#include "tests/contract/contract.hpp"
#include "tests/contract/host_functions.hpp"

namespace copybench {
namespace {

// Many times what a queue was seen to take, and soon worked off.
constexpr int far_too_many = 20'000;

// What the operations work on.
struct Tools {
  StreamView stream;
  Buffer device{MemoryKind::device, 4096};
  Buffer pinned{MemoryKind::pinned, 4096};
  Event event = Event();
  HostWork work = [](cudaError_t) {};
};

struct OperationCase {
  const char* name;
  void (*enqueue)(Tools&);
};
std::ostream& operator<<(std::ostream& out, const OperationCase& tested) {
  return out << tested.name;
}

void enqueue_copy(Tools& tools) {
  copy_async(tools.device.data(), tools.pinned.data(), 4, Direction::h2d, tools.stream);
}

constexpr std::array operation_cases{
    OperationCase{"PinnedCopies", enqueue_copy},
    OperationCase{"EventRecords", [](Tools& tools) { tools.event.record(tools.stream); }},
    OperationCase{"Kernels", [](Tools& tools) { launch_timed_gate(tools.stream, 0); }},
    OperationCase{
        "HostFunctions",
        [](Tools& tools) { enqueue(HostApi::launch_host_func, tools.stream, tools.work); }},
};

/// A thread that enqueues operations until it has enqueued far too many or is told to stop.
class Enqueuer {
 public:
  Enqueuer(void (*enqueue)(Tools&), StreamView stream)
      : tools_{.stream = stream, .event = Event()},
        thread_([this, enqueue](const std::stop_token& stop) {
          try {
            while (count_ < far_too_many && !stop.stop_requested()) {
              enqueue(tools_);
              ++count_;
            }
          } catch (const CudaError& error) {
            ADD_FAILURE() << error.what();
          }
          is_done_ = true;
        }) {}

  /// Returns once the thread stands still behind a closed gate: true when it is blocked, false when
  /// it has come to its end.
  [[nodiscard]] bool becomes_blocked() const {
    // One pause may be the scheduler's doing.
    constexpr int pauses = 2;
    int before = 0;
    for (int still = 0; !is_done_ && still < pauses;) {
      std::this_thread::sleep_for(long_hold);
      still = count_ > 0 && count_ == before ? still + 1 : 0;
      before = count_;
    }
    return !is_done_;
  }
  void stop() { thread_.request_stop(); }
  void join() { thread_.join(); }

 private:
  Tools tools_;
  std::atomic<int> count_ = 0;
  std::atomic<bool> is_done_ = false;
  std::jthread thread_;
};

class QueueDepth : public Contract, public testing::WithParamInterface<OperationCase> {};

TEST_P(QueueDepth, BehindAClosedGate) {
  documented("row 6: any call may block when an internal resource is exhausted");
  gate_.close(stream_);
  Enqueuer enqueuer(GetParam().enqueue, stream_);
  const OpenOnExit guard(gate_);
  const bool blocked = enqueuer.becomes_blocked();
  enqueuer.stop();
  (void)gate_.open();
  enqueuer.join();
  stream_.sync();
  gate_.require_opened_by_host();
  observed(blocked ? "enqueueing blocks after a finite number" : "enqueueing does not block");
}

INSTANTIATE_TEST_SUITE_P(Queue, QueueDepth, testing::ValuesIn(operation_cases),
                         [](const auto& tested) { return tested.param.name; });

using Queue = Contract;

TEST_F(Queue, AFullOneAndACopyInAnotherStream) {
  documented("row 6: any call may block when an internal resource is exhausted");
  Tools other_tools{.stream = StreamView(nullptr), .event = Event()};
  const Stream other(StreamKind::nonblocking);
  other_tools.stream = other;
  gate_.close(stream_);
  Enqueuer enqueuer(enqueue_copy, stream_);
  const OpenOnExit guard(gate_);
  const bool blocked = enqueuer.becomes_blocked();
  gate_.start_hold(long_hold);
  enqueue_copy(other_tools);
  const TimePoint returned = now();
  enqueuer.stop();
  const bool first = returned < gate_.open();
  enqueuer.join();
  stream_.sync();
  other.sync();
  observed(blocked ? describe_return(first) : "the queue was never full");
}

}  // namespace
}  // namespace copybench
