// SPDX-License-Identifier: Apache-2.0
// Whom does the first launch of a kernel hold up while the device is busy? Where the driver loads
// kernels lazily, the launch loads it, which takes a lock of the context and may wait for the
// device.
#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "benchmarks/families.hpp"
#include "common/cuda/copy.hpp"
#include "common/kernels.hpp"
#include "common/measurement/helper_thread.hpp"
#include "common/measurement/verdict.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""us;

enum class Loading { lazy, eager };
constexpr std::array<std::string_view, 2> loading_names{"lazy", "eager"};
constexpr std::array<const char*, 2> loading_modes{"LAZY", "EAGER"};

/// What is timed: the launch itself, or another thread's copy that begins during it.
enum class Operation { first_launch, pinned_copy_beside };
constexpr std::array<std::string_view, 2> operation_names{"first_launch", "pinned_copy_beside"};

enum Figure : std::size_t { blocked, launch };
constexpr std::array<std::string_view, 2> figure_names{"blocked", "launch"};

constexpr std::size_t bytes = 4096;
constexpr Nanoseconds least_hold = 10ms;
// By then the launch is where it waits, if it does.
constexpr Nanoseconds head_start = 100us;
constexpr std::size_t samples_per_batch = 15;

// Each of them is cold once in a process.
std::size_t launched_kernels = 0;

class LazyLoading final : public Measurement {
 public:
  LazyLoading(Operation operation, Fixtures& fixtures)
      : operation_(operation),
        source_(fixtures.region(MemoryKind::pinned, Role::source, bytes)),
        destination_(fixtures.region(MemoryKind::device, Role::destination, bytes)),
        held_stream_(fixtures.stream(StreamKind::nonblocking)),
        launch_stream_(fixtures.other_stream(StreamKind::nonblocking)),
        copy_stream_(StreamKind::nonblocking),
        gate_(fixtures.gate()),
        verifier_(fixtures.verifier()) {}

  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return Figure::blocked; }
  // A batch, the warm-up before it, two batches taken anew and some samples taken anew fit into the
  // kernels of a process.
  std::size_t least_samples() const override { return samples_per_batch; }
  std::size_t most_samples() const override { return samples_per_batch; }

  void prepare(std::uint64_t seed) override {
    if (launched_kernels + samples_per_batch > cold_kernels) {
      throw ProcessUsedUp("no kernels are left that were never launched");
    }
    seed_ = seed;
    verifier_.fill(source_, seed);
    verifier_.poison(destination_);
  }

  void sample(std::span<Nanoseconds> durations) override {
    // A thread that was late, behind the opening, has not seen a busy device. The next gate stays
    // closed for longer.
    constexpr int most_attempts = 6;
    for (int i = 0; i < most_attempts && launched_kernels < cold_kernels; ++i) {
      if (take(durations)) {
        return;
      }
      // It has copied all the same, and the next one would overwrite what is wrong.
      verify();
      hold_ *= 2;
    }
    throw GateError("the gate opened before the timed call began, again and again");
  }

  void verify() override {
    if (operation_ == Operation::pinned_copy_beside) {
      verifier_.verify(destination_, seed_);
    }
  }

  Findings conclude(std::span<const Summary> /*summaries*/) const override {
    const Verdict verdict = judge_busy(returned_after_opening_, samples_);
    return {std::string(name_of(verdict, verdict_names)),
            {{"most_hold_ns", static_cast<double>(hold_.count())},
             {"waited_for_queue_fraction",
              static_cast<double>(returned_after_opening_) / static_cast<double>(samples_)}}};
  }

 private:
  struct Span {
    TimePoint begin;
    TimePoint end;
  };

  // Whether the timed call began while the gate was closed: otherwise there is no sample.
  bool take(std::span<Nanoseconds> durations) {
    const OpenOnExit guard(gate_);
    gate_.close(held_stream_);
    gate_.start_hold(hold_);
    const Span timed = operation_ == Operation::first_launch ? time_launch() : time_copy_beside();
    const TimePoint opened = gate_.open();
    held_stream_.sync();
    launch_stream_.sync();
    copy_stream_.sync();
    gate_.require_opened_by_host();
    if (timed.begin >= opened) {
      return false;
    }
    ++samples_;
    returned_after_opening_ += opened < timed.end ? 1U : 0U;
    durations[Figure::blocked] = timed.end - timed.begin;
    durations[Figure::launch] = launch_.end - launch_.begin;
    return true;
  }

  Span time_launch() {
    launch_.begin = now();
    launch_cold_kernel(launch_stream_, launched_kernels++);
    launch_.end = now();
    return launch_;
  }

  Span time_copy_beside() {
    std::atomic<bool> has_begun = false;
    launcher_.start([&] {
      has_begun = true;
      (void)time_launch();
    });
    // Without an end where there is no launch: the helper failed, and says so when it is joined.
    while (!has_begun && !gate_.is_open()) {
    }
    spin_until(now() + head_start);
    Span copy{now(), {}};
    try {
      copy_async(destination_.data, source_.data, bytes, Direction::h2d, copy_stream_);
      copy.end = now();
    } catch (...) {
      // The launch may be waiting for the gate, which opens by itself, and uses what stands here.
      launcher_.join_job();
      throw;
    }
    // Before the gate is opened: how long the launch takes by itself is a figure, too.
    launcher_.join_job();
    return copy;
  }

  Operation operation_;
  Region source_;
  Region destination_;
  StreamView held_stream_;
  StreamView launch_stream_;
  Stream copy_stream_;
  Gate& gate_;
  Verifier& verifier_;
  HelperThread launcher_;
  std::uint64_t seed_ = 0;
  Span launch_{};
  Nanoseconds hold_ = least_hold;
  // Over all samples, those of batches that were taken anew as well.
  std::size_t samples_ = 0;
  std::size_t returned_after_opening_ = 0;
};

MemoryNeeds memory_needs(const AxisValues& /*values*/) {
  return {{MemoryKind::pinned, bytes}, {MemoryKind::device, bytes}};
}

// The mode is read when a process first uses CUDA.
ProcessSettings process(const AxisValues& values) {
  const auto loading = parse_axis<Loading>(values, "loading", loading_names);
  return {
      .environment = {{"CUDA_MODULE_LOADING", loading_modes.at(static_cast<std::size_t>(loading))}},
      .device_flags = {}};
}

}  // namespace

Family lazy_loading_family() {
  return {
      .name = "lazy_loading",
      .sweeps = {{"Does the first launch of a kernel wait for the device, and a copy of another "
                  "thread for it?",
                  {{"loading", {"lazy", "eager"}}, {"op", {"first_launch", "pinned_copy_beside"}}},
                  false}},
      .make = [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
        return std::make_unique<LazyLoading>(parse_axis<Operation>(values, "op", operation_names),
                                             fixtures);
      },
      .memory_needs = memory_needs,
      .process = process};
}

}  // namespace copybench
