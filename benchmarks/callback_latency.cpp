// SPDX-License-Identifier: Apache-2.0
// How soon does the host know that a kernel has ended, by whatever a program can be told with?
//
// One clock, the host's, has both ends. The kernel spins on a flag in mapped memory, which a thread
// of the host stores to at a moment that it notes (Gate); then it writes its last word and ends.
// Latencies count from that moment. So each holds the way of the flag to the kernel and the
// kernel's own end, which are the same for all waiters, and what two waiters differ by is free of
// them: no device clock is read, and none has to be tied to the host's. How much they are, with the
// way of a word back, is seen in mapped_flag.
#include <chrono>
#include <optional>
#include <string>

#include "benchmarks/busy_other_cores.hpp"
#include "benchmarks/families.hpp"
#include "benchmarks/kernel_waiter.hpp"
#include "common/cuda/device.hpp"
#include "common/measurement/quiet_cpu.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

/// What goes on on the other processors: nothing, or a thread on each that does not stop.
enum class Cores { idle, busy };
constexpr std::array<std::string_view, 2> cores_names{"idle", "busy"};

enum Figure : std::size_t { latency, host_function_entry };
constexpr std::array<std::string_view, 2> figure_names{"latency", "host_function_entry"};

struct Case {
  Waiter waiter;
  Cores cores;
  Nanoseconds wait;
};

Case parse(const AxisValues& values) {
  return {parse_axis<Waiter>(values, "waiter", waiter_names),
          parse_axis<Cores>(values, "cores", cores_names),
          std::chrono::microseconds(values.number("wait_us"))};
}

class CallbackLatency final : public Measurement {
 public:
  CallbackLatency(const Case& parsed, Fixtures& fixtures)
      : case_(parsed),
        written_(MemoryKind::pinned_mapped, sizeof(std::int32_t)),
        stream_(fixtures.stream(StreamKind::nonblocking)),
        gate_(fixtures.gate()),
        busy_(parsed.cores == Cores::busy ? std::make_unique<BusyOtherCores>() : nullptr),
        waiter_(parsed.waiter, stream_, reinterpret_cast<const std::int32_t*>(written_.data())) {}

  // The second figure is of host functions alone.
  std::span<const std::string_view> figures() const override {
    return std::span(figure_names).first(has_host_function(case_.waiter) ? 2 : 1);
  }
  std::size_t tracked() const override { return Figure::latency; }
  // The fewest that have a hundredth part.
  std::size_t least_samples() const override { return 101; }

  // The others are busy for as long as samples are taken, and not while the processors' speeds are.
  void prepare(std::uint64_t /*seed*/) override {
    if (busy_ != nullptr) {
      busy_->start();
    }
  }

  void sample(std::span<Nanoseconds> durations) override {
    const OpenOnExit guard(gate_);
    ++number_;
    gate_.close(stream_, [&](GateFlags* flags, std::uint64_t timeout_ns) {
      launch_gated_size_producer(stream_, flags, timeout_ns, number_,
                                 reinterpret_cast<std::int32_t*>(written_.device_address()));
    });
    waiter_.enqueue(number_);
    gate_.start_hold(case_.wait);
    const KernelWaiter::Heard heard = waiter_.wait();
    const TimePoint opened = gate_.open();
    stream_.sync();
    gate_.require_opened_by_host();
    if (opened >= heard.when || !heard.is_complete) {
      throw VerificationError("the end of the kernel was heard of before it");
    }
    durations[Figure::latency] = heard.when - opened;
    if (has_host_function(case_.waiter)) {
      durations[Figure::host_function_entry] = heard.entered - opened;
      on_callers_cpu_ += heard.on_callers_cpu ? 1U : 0U;
    }
    ++samples_;
  }

  // Each sample has seen its own data.
  void verify() override {
    if (busy_ != nullptr) {
      busy_threads_ = busy_->count();
      busy_->stop();
    }
  }

  Findings conclude(std::span<const Summary> /*summaries*/) const override {
    Findings findings;
    if (has_host_function(case_.waiter)) {
      // Where the thread of CUDA's has to share a processor with the one that waits for it.
      findings.counters["on_measuring_cpu_fraction"] =
          static_cast<double>(on_callers_cpu_) / static_cast<double>(samples_);
    }
    if (busy_ != nullptr) {
      findings.counters["busy_threads"] = static_cast<double>(busy_threads_);
    }
    return findings;
  }

 private:
  Case case_;
  Buffer written_;
  StreamView stream_;
  Gate& gate_;
  std::int32_t number_ = 0;
  // Over all samples taken, those of batches that were taken anew as well.
  std::size_t samples_ = 0;
  std::size_t on_callers_cpu_ = 0;
  std::size_t busy_threads_ = 0;
  std::unique_ptr<BusyOtherCores> busy_;
  KernelWaiter waiter_;
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

std::optional<std::string> lacks(const AxisValues& values, const Device& /*device*/) {
  constexpr std::size_t least = 2;
  if (parse(values).cores == Cores::busy && cpu_count() < least) {
    return "needs " + std::to_string(least) + " processors";
  }
  return std::nullopt;
}

std::vector<Sweep> sweeps() {
  return {{"How soon after the end of a kernel does the host know, by each of the ways to know?",
           {{"waiter",
             {waiter_names.begin(), waiter_names.end()},
             {"host_function", "worker_sleeping", "mapped_flag"}},
            {"cores", {"idle"}},
            {"wait_us", {"200"}}}},
          {"How much later while all other processors are busy?",
           {{"waiter", {waiter_names.begin(), waiter_names.end()}},
            {"cores", {"busy"}},
            {"wait_us", {"200"}}},
           false}};
}

}  // namespace

Family callback_latency_family() {
  return {"callback_latency",
          sweeps(),
          [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
            return std::make_unique<CallbackLatency>(parse(values), fixtures);
          },
          memory_needs,
          refuse,
          lacks};
}

}  // namespace copybench
