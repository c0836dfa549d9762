// SPDX-License-Identifier: Apache-2.0
// After how many queued operations does enqueueing another one block the host?
#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <vector>

#include "benchmarks/families.hpp"
#include "common/cuda/check.hpp"
#include "common/cuda/copy.hpp"
#include "common/cuda/event.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;

enum class Operation {
  copy_h2d,
  copy_d2h,
  copy_pageable_h2d,
  copy_pageable_h2d_64kib,
  kernel,
  event_record,
  host_func
};
constexpr std::array<std::string_view, 7> operation_names{
    "copy_h2d", "copy_d2h",     "copy_pageable_h2d", "copy_pageable_h2d_64kib",
    "kernel",   "event_record", "host_func"};

enum Figure : std::size_t { enqueue };
constexpr std::array<std::string_view, 1> figure_names{"enqueue"};

// A queue that takes so many has no depth that a program would meet.
constexpr std::size_t most_operations = 20'000;
// Longer than so many calls take, so that the gate does not open before a full queue was met.
constexpr Nanoseconds hold = 150ms;
// A call that did not wait takes microseconds.
constexpr Nanoseconds blocked_at_least = 5ms;

constexpr std::size_t copy_bytes(Operation operation) {
  return operation == Operation::copy_pageable_h2d_64kib ? 65536 : 64;
}

constexpr MemoryKind host_kind(Operation operation) {
  return operation == Operation::copy_pageable_h2d ||
                 operation == Operation::copy_pageable_h2d_64kib
             ? MemoryKind::pageable
             : MemoryKind::pinned;
}

void CUDART_CB do_nothing(void* /*unused*/) {}

// Enqueues behind a closed gate until a call does not return before the gate opens. Which one it
// was is exact: the calls before it returned while nothing could have run.
class QueueDepth final : public Measurement {
 public:
  QueueDepth(Operation operation, std::size_t streams, Fixtures& fixtures)
      : operation_(operation),
        bytes_(copy_bytes(operation)),
        host_(fixtures.region(host_kind(operation), Role::source, bytes_)),
        device_(fixtures.region(MemoryKind::device, Role::destination, bytes_)),
        streams_{fixtures.stream(StreamKind::nonblocking)},
        gate_(fixtures.gate()),
        verifier_(fixtures.verifier()) {
    if (streams == 2) {
      streams_.push_back(fixtures.other_stream(StreamKind::nonblocking));
    }
  }

  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return Figure::enqueue; }
  std::size_t least_samples() const override { return 3; }

  // A copy to the host delivers what the device holds, so both sides get the pattern; the one that
  // the copies go to is spoilt again.
  void prepare(std::uint64_t seed) override {
    seed_ = seed;
    const bool to_host = operation_ == Operation::copy_d2h;
    verifier_.fill(to_host ? device_ : host_, seed);
    if (is_copy()) {
      verifier_.poison(to_host ? host_ : device_);
    }
  }

  void sample(std::span<Nanoseconds> durations) override {
    const OpenOnExit guard(gate_);
    gate_.close(streams_.front());
    if (streams_.size() > 1) {
      gated_.record(streams_.front());
      wait(streams_.back(), gated_);
    }
    gate_.start_hold(hold);
    std::size_t returned = 0;
    Nanoseconds spent{0};
    bool blocked = false;
    while (!blocked && returned < most_operations) {
      const TimePoint begin = now();
      enqueue_into(streams_[returned % streams_.size()]);
      const Nanoseconds took = now() - begin;
      // A thread that was merely off its processor for so long comes back before the opening.
      blocked = took > blocked_at_least && gate_.is_open();
      if (!blocked) {
        spent += took;
        ++returned;
      }
    }
    const bool too_slow = !blocked && gate_.is_open();
    (void)gate_.open();
    for (const StreamView stream : streams_) {
      stream.sync();
    }
    gate_.require_opened_by_host();
    if (too_slow) {
      throw GateError("the gate opened before the queue was full: enqueueing is too slow here");
    }
    durations[Figure::enqueue] = spent / std::max<std::size_t>(returned, 1);
    depths_.push_back(returned);
  }

  void verify() override {
    if (is_copy()) {
      verifier_.verify(operation_ == Operation::copy_d2h ? host_ : device_, seed_);
    }
  }

  Findings conclude(std::span<const Summary> /*summaries*/) const override {
    const auto [least, most] = std::ranges::minmax(depths_);
    // The call after the knee is the one that was seen to wait.
    return {least == most_operations ? "no_knee" : "waits_for_queue",
            {{"knee_operations", static_cast<double>(least)},
             {"knee_operations_low", static_cast<double>(least)},
             {"knee_operations_high", static_cast<double>(most)},
             {"most_hold_ns", static_cast<double>(hold.count())}}};
  }

 private:
  [[nodiscard]] bool is_copy() const { return operation_ <= Operation::copy_pageable_h2d_64kib; }

  void enqueue_into(StreamView stream) {
    switch (operation_) {
      case Operation::copy_h2d:
      case Operation::copy_pageable_h2d:
      case Operation::copy_pageable_h2d_64kib:
        copy_async(device_.data, host_.data, bytes_, Direction::h2d, stream);
        return;
      case Operation::copy_d2h:
        copy_async(host_.data, device_.data, bytes_, Direction::d2h, stream);
        return;
      case Operation::kernel:
        launch_timed_gate(stream, 0);
        return;
      case Operation::event_record:
        recorded_.record(stream);
        return;
      case Operation::host_func:
        check(cudaLaunchHostFunc(stream.get(), do_nothing, nullptr), "cudaLaunchHostFunc");
        return;
    }
  }

  Operation operation_;
  std::size_t bytes_;
  Region host_;
  Region device_;
  std::vector<StreamView> streams_;
  Gate& gate_;
  Verifier& verifier_;
  Event gated_;
  Event recorded_;
  std::uint64_t seed_ = 0;
  std::vector<std::size_t> depths_;
};

std::optional<std::string> refuse(const AxisValues& values) {
  const std::size_t streams = values.number("streams");
  return streams == 1 || streams == 2 ? std::nullopt
                                      : std::optional<std::string>("streams: expected 1 or 2");
}

ProcessSettings process(const AxisValues& values) {
  const std::string& connections = values.at("connections");
  if (connections == "default") {
    return {};
  }
  return {.environment = {{"CUDA_DEVICE_MAX_CONNECTIONS", connections == "one" ? "1" : "8"}}};
}

MemoryNeeds memory_needs(const AxisValues& values) {
  const auto operation = parse_axis<Operation>(values, "op", operation_names);
  return {{host_kind(operation), copy_bytes(operation)},
          {MemoryKind::device, copy_bytes(operation)}};
}

}  // namespace

Family queue_depth_family() {
  return {"queue_depth",
          {{"How many operations can be queued before enqueueing blocks, and is the queue the "
            "stream's own?",
            {{"op", {operation_names.begin(), operation_names.end()}},
             {"streams", {"1", "2"}},
             {"connections", {"default"}}},
            false},
           {"Does the number of connections to the device change it?",
            {{"op", {"copy_h2d", "kernel"}},
             {"streams", {"1", "2"}},
             {"connections", {"one", "eight"}}},
            false}},
          [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
            return std::make_unique<QueueDepth>(
                parse_axis<Operation>(values, "op", operation_names), values.number("streams"),
                fixtures);
          },
          memory_needs,
          refuse,
          {},
          process};
}

}  // namespace copybench
