// SPDX-License-Identifier: Apache-2.0
// After how many queued operations does enqueueing another one block the host?
#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <span>
#include <vector>

#include "benchmarks/families.hpp"
#include "benchmarks/queued_operation.hpp"
#include "common/cuda/event.hpp"
#include "common/measurement/statistics.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;

enum Figure : std::size_t { enqueue };
constexpr std::array<std::string_view, 1> figure_names{"enqueue"};

// A queue that takes so many has no depth that a program would meet.
constexpr std::size_t most_operations = 20'000;
// Longer than so many calls take, so that the gate does not open before a full queue was met; and
// longer still where they take longer.
constexpr Nanoseconds least_hold = 150ms;
constexpr Nanoseconds most_hold = 2400ms;
// A call that did not wait takes microseconds.
constexpr Nanoseconds blocked_at_least = 5ms;

// Enqueues behind a closed gate until a call does not return before the gate opens. Which one it
// was is exact: the calls before it returned while nothing could have run.
class QueueDepth final : public Measurement {
 public:
  QueueDepth(QueuedOperation operation, std::size_t streams, Fixtures& fixtures)
      : operation_(operation, streams, fixtures),
        streams_{fixtures.stream(StreamKind::nonblocking)},
        gate_(fixtures.gate()) {
    if (streams == 2) {
      streams_.push_back(fixtures.other_stream(StreamKind::nonblocking));
    }
  }

  // The figure is the median of the calls that returned early.
  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return Figure::enqueue; }
  std::size_t least_samples() const override { return 3; }

  void prepare(std::uint64_t seed) override {
    seed_ = seed;
    operation_.prepare(seed);
  }

  // A call that returns before the gate opens shows that there was room. One that does not may have
  // been off its processor: where fewer calls returned than once did, that is looked into again.
  void sample(std::span<Nanoseconds> durations) override {
    constexpr int most_attempts = 3;
    Search best = search();
    for (int i = 1; i < most_attempts && best.returned < most_returned_; ++i) {
      best = std::max(best, search(),
                      [](const Search& a, const Search& b) { return a.returned < b.returned; });
    }
    durations[Figure::enqueue] = best.call;
    most_returned_ = std::max(most_returned_, best.returned);
    depths_.push_back(best.returned);
  }

  void verify() override { operation_.verify(seed_); }

  Findings conclude(std::span<const Summary> /*summaries*/) const override {
    const auto [least, most] = std::ranges::minmax(depths_);
    // The call after the knee is the one that was seen to wait.
    return {most == most_operations ? "no_knee" : "waits_for_queue",
            {{"knee_operations", static_cast<double>(most)},
             {"knee_operations_low", static_cast<double>(least)},
             {"knee_operations_high", static_cast<double>(most)},
             {"most_hold_ns", static_cast<double>(hold_.count())}}};
  }

 private:
  // Of one gate: how many calls returned before one blocked, and the median of what they took.
  struct Search {
    std::size_t returned = 0;
    Nanoseconds call{0};
  };

  Search search() {
    while (true) {
      if (const std::optional<Search> found = search_behind_gate()) {
        return *found;
      }
      hold_ *= 2;
      if (hold_ > most_hold) {
        throw GateError("the gate opened before the queue was full: enqueueing is too slow here");
      }
    }
  }

  // Nothing when the gate opened too early.
  std::optional<Search> search_behind_gate() {
    const OpenOnExit guard(gate_);
    gate_.close(streams_.front());
    if (streams_.size() > 1) {
      gated_.record(streams_.front());
      wait(streams_.back(), gated_);
    }
    gate_.start_hold(hold_);
    Search search;
    bool blocked = false;
    while (!blocked && search.returned < most_operations && !gate_.is_open()) {
      const std::size_t stream = search.returned % streams_.size();
      const TimePoint begin = now();
      operation_.enqueue_into(streams_[stream], stream);
      const Nanoseconds took = now() - begin;
      blocked = took > blocked_at_least && gate_.is_open();
      if (!blocked) {
        calls_[search.returned++] = took;
      }
    }
    const bool too_slow = !blocked && gate_.is_open();
    (void)gate_.open();
    for (const StreamView stream : streams_) {
      stream.sync();
    }
    gate_.require_opened_by_host();
    if (too_slow) {
      return std::nullopt;
    }
    if (search.returned > 0) {
      search.call = summarize(std::span(calls_).first(search.returned)).median;
    }
    return search;
  }

  OperationToQueue operation_;
  std::vector<StreamView> streams_;
  Gate& gate_;
  Event gated_;
  std::uint64_t seed_ = 0;
  // What the calls of a search took; room for all of them, so that none of them makes it.
  std::vector<Nanoseconds> calls_ = std::vector<Nanoseconds>(most_operations);
  Nanoseconds hold_ = least_hold;
  std::size_t most_returned_ = 0;
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

QueuedOperation parse_operation(const AxisValues& values) {
  return parse_axis<QueuedOperation>(values, "op", queued_operation_names);
}

MemoryNeeds memory_needs(const AxisValues& values) {
  return OperationToQueue::memory_needs(parse_operation(values), values.number("streams"));
}

}  // namespace

Family queue_depth_family() {
  return {"queue_depth",
          {{"How many operations can be queued before enqueueing blocks, and is the queue the "
            "stream's own?",
            {{"op", {queued_operation_names.begin(), queued_operation_names.end()}},
             {"streams", {"1", "2"}},
             {"connections", {"default"}}},
            false},
           {"Does the number of connections to the device change it?",
            {{"op", {"copy_h2d", "kernel"}},
             {"streams", {"1", "2"}},
             {"connections", {"one", "eight"}}},
            false}},
          [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
            return std::make_unique<QueueDepth>(parse_operation(values), values.number("streams"),
                                                fixtures);
          },
          memory_needs,
          refuse,
          {},
          process};
}

}  // namespace copybench
