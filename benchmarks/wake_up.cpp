// SPDX-License-Identifier: Apache-2.0
// How long after the work is done does a waiting thread run again, and what does it burn meanwhile?
#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include <cuda_runtime_api.h>

#include "benchmarks/families.hpp"
#include "benchmarks/wake_up_sweeps.hpp"
#include "common/cuda/check.hpp"
#include "common/cuda/event.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""us;

enum class Call {
  stream_sync,
  event_sync,
  device_sync,
  event_query_poll_0us,
  event_query_poll_10us,
  event_query_poll_100us
};
constexpr std::array<std::string_view, 6> call_names{
    "stream_sync",           "event_sync",
    "device_sync",           "event_query_poll_0us",
    "event_query_poll_10us", "event_query_poll_100us"};
constexpr std::array<std::string_view, 2> event_names{"spin", "block"};

// The schedule of cudaSetDeviceFlags. It is settled when a process first uses the device, and a
// process that says nothing has the automatic one.
constexpr std::string_view default_schedule = "auto";
struct Schedule {
  std::string_view name;
  unsigned flag;
};
constexpr std::array<Schedule, 3> schedules{{{"spin", cudaDeviceScheduleSpin},
                                             {"yield", cudaDeviceScheduleYield},
                                             {"block", cudaDeviceScheduleBlockingSync}}};

enum Figure : std::size_t { latency, waited, cpu };
constexpr std::array<std::string_view, 3> figure_names{"latency", "waited", "cpu"};

struct Case {
  Call call;
  EventWait event;
  Nanoseconds wait;
};

Case parse(const AxisValues& values) {
  return {parse_axis<Call>(values, "call", call_names),
          parse_axis<EventWait>(values, "event", event_names),
          std::chrono::microseconds(values.number("wait_us"))};
}

class WakeUp final : public Measurement {
 public:
  WakeUp(const Case& parsed, Fixtures& fixtures)
      : case_(parsed),
        event_(parsed.event),
        written_(MemoryKind::pinned_mapped, sizeof(std::int32_t)),
        stream_(fixtures.stream(StreamKind::nonblocking)),
        gate_(fixtures.gate()) {}

  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return Figure::latency; }
  std::size_t least_samples() const override { return 15; }

  void prepare(std::uint64_t /*seed*/) override {}

  void sample(std::span<Nanoseconds> durations) override {
    const OpenOnExit guard(gate_);
    ++number_;
    gate_.close(stream_, [&](GateFlags* flags, std::uint64_t timeout_ns) {
      launch_gated_size_producer(stream_, flags, timeout_ns, number_,
                                 reinterpret_cast<std::int32_t*>(written_.device_address()));
    });
    event_.record(stream_);
    const Nanoseconds cpu_begin = thread_cpu_time();
    gate_.start_hold(case_.wait);
    const TimePoint begin = now();
    wait();
    const TimePoint awake = now();
    const Nanoseconds cpu_end = thread_cpu_time();
    const TimePoint opened = gate_.open();
    require_end_of_kernel(opened < awake);
    durations[Figure::latency] = awake - opened;
    durations[Figure::waited] = awake - begin;
    durations[Figure::cpu] = cpu_end - cpu_begin;
  }

  // Each sample has seen its own data.
  void verify() override {}

  Findings conclude(std::span<const Summary> summaries) const override {
    const double fraction = static_cast<double>(summaries[Figure::cpu].median.count()) /
                            static_cast<double>(summaries[Figure::waited].median.count());
    // On the way into a short wait and out of it every thread works.
    const bool is_long_enough = case_.wait >= 1ms;
    const std::string verdict = fraction >= least_fraction_of_spinning ? "spins" : "sleeps";
    return {is_long_enough ? verdict : "", {{"cpu_fraction", fraction}}};
  }

 private:
  // A thread that spins has its processor nearly all the time, one that sleeps hardly ever.
  static constexpr double least_fraction_of_spinning = 0.5;

  void wait() {
    switch (case_.call) {
      case Call::stream_sync:
        stream_.sync();
        return;
      case Call::event_sync:
        event_.sync();
        return;
      case Call::device_sync:
        check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        return;
      case Call::event_query_poll_0us:
        while (!event_.is_done()) {
        }
        return;
      case Call::event_query_poll_10us:
        poll_every(10us);
        return;
      case Call::event_query_poll_100us:
        poll_every(100us);
        return;
    }
  }

  // As a program does: the system adds its own slack to the pause, 50 us unless it is told
  // otherwise.
  void poll_every(Nanoseconds pause) {
    while (!event_.is_done()) {
      std::this_thread::sleep_for(pause);
    }
  }

  // The last thing that the kernel does is to write the number of the sample.
  void require_end_of_kernel(bool is_open) {
    const auto* const written = reinterpret_cast<const std::int32_t*>(written_.data());
    const bool has_ended = __atomic_load_n(written, __ATOMIC_ACQUIRE) == number_;
    stream_.sync();
    gate_.require_opened_by_host();
    if (!is_open || !has_ended) {
      throw VerificationError("the wait was over before the kernel that was waited for");
    }
  }

  Case case_;
  Event event_;
  Buffer written_;
  StreamView stream_;
  Gate& gate_;
  std::int32_t number_ = 0;
};

MemoryNeeds memory_needs(const AxisValues& /*values*/) {
  return {{MemoryKind::pinned_mapped, sizeof(std::int32_t)}};
}

std::optional<std::string> refuse(const AxisValues& values) {
  constexpr std::size_t most = 1'000'000;
  if (values.number("wait_us") > most) {
    return "wait_us: expected at most " + std::to_string(most);
  }
  return std::nullopt;
}

ProcessSettings process(const AxisValues& values) {
  const std::string& device = values.at("device");
  if (device == default_schedule) {
    return {};
  }
  for (const Schedule& schedule : schedules) {
    if (schedule.name == device) {
      return {.environment = {}, .device_flags = schedule.flag};
    }
  }
  throw std::out_of_range(values.name() + ": unknown device");
}

}  // namespace

Family wake_up_family() {
  return {.name = "wake_up",
          .sweeps = wake_up_sweeps(),
          .make = [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
            return std::make_unique<WakeUp>(parse(values), fixtures);
          },
          .memory_needs = memory_needs,
          .refuse = refuse,
          .process = process};
}

}  // namespace copybench
