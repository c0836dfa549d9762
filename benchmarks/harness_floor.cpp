// SPDX-License-Identifier: Apache-2.0
// The least that a blocked time can be: what is reported for an operation that does nothing, or
// next to nothing, taken by the code that takes the blocked time of the copies.
#include <array>
#include <string>

#include <cuda_runtime_api.h>

#include "benchmarks/families.hpp"
#include "common/cuda/check.hpp"
#include "common/kernels.hpp"
#include "common/measurement/blocked_call.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

enum class Operation {
  /// No call at all: the clock, and what the harness puts between its two readings.
  nothing,
  /// cudaPeekAtLastError: a call of the runtime that leaves the driver alone.
  last_error,
  /// cudaStreamQuery: the least that asks something of the driver.
  stream_query
};
constexpr std::array<std::string_view, 3> operation_names{"nothing", "last_error", "stream_query"};

class HarnessFloor final : public Measurement {
 public:
  HarnessFloor(Operation operation, Queue queue, Fixtures& fixtures)
      : operation_(operation),
        queue_(queue),
        stream_(fixtures.stream(StreamKind::nonblocking)),
        call_(queue, stream_, fixtures.other_stream(StreamKind::nonblocking), fixtures.gate()) {}

  std::span<const std::string_view> figures() const override { return call_.figures(); }
  std::size_t tracked() const override { return BlockedCall::tracked; }
  std::size_t least_samples() const override { return BlockedCall::least_samples; }

  // How long cudaStreamQuery takes depends on what the stream did before: 0.4 us, or 1.6 us after a
  // kernel. Every batch is after one.
  void prepare(std::uint64_t /*seed*/) override {
    launch_timed_gate(stream_, 0);
    stream_.sync();
    call_.choose_hold(0, [] {});
  }

  // A loop of its own for each, so that no choice between them is timed.
  void sample(std::span<Nanoseconds> durations) override {
    cudaError_t answer = cudaSuccess;
    switch (operation_) {
      case Operation::nothing:
        call_.sample(durations, [] {});
        break;
      case Operation::last_error:
        call_.sample(durations, [&] { answer = cudaPeekAtLastError(); });
        check(answer, "cudaPeekAtLastError");
        break;
      case Operation::stream_query:
        call_.sample(durations, [&] { answer = cudaStreamQuery(stream_.get()); });
        require_state(answer);
        break;
    }
  }

  // There are no bytes; sample() looks at every answer.
  void verify() override {}

  Findings conclude(std::span<const Summary> summaries) const override {
    Findings findings = call_.conclude(summaries);
    // Nothing was there to wait for.
    findings.label.clear();
    return findings;
  }

 private:
  // Behind a gate the stream is not ready, unless the thread was away for as long as it is held.
  void require_state(cudaError_t answer) const {
    if (queue_ != Queue::idle && answer == cudaErrorNotReady) {
      return;
    }
    check(answer, "cudaStreamQuery");
  }

  Operation operation_;
  Queue queue_;
  StreamView stream_;
  BlockedCall call_;
};

}  // namespace

Family harness_floor_family() {
  return {"harness_floor",
          {{"What does the suite report for an operation that does nothing?",
            {{"operation", {"nothing", "last_error", "stream_query"}},
             {"queue", {"idle", "busy"}, {"idle"}}}}},
          [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
            return std::make_unique<HarnessFloor>(
                parse_axis<Operation>(values, "operation", operation_names),
                parse_axis<Queue>(values, "queue", queue_names), fixtures);
          },
          [](const AxisValues& /*values*/) { return MemoryNeeds{}; }};
}

}  // namespace copybench
