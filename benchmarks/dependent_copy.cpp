// SPDX-License-Identifier: Apache-2.0
// How do you copy N elements to the host when N itself is still on the device?
#include <chrono>
#include <optional>

#include "benchmarks/chained_memory.hpp"
#include "benchmarks/families.hpp"
#include "benchmarks/next_kernel.hpp"
#include "common/chaining/chain.hpp"
#include "common/cuda/event.hpp"
#include "common/measurement/clock.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

// How long the producer goes on after the chain was begun: far longer than any takes to be
// enqueued.
constexpr Nanoseconds hold = std::chrono::microseconds(200);

// The producer in one stream, the chain in another behind it.
class Chained : public Measurement {
 public:
  Chained(ChainStrategy strategy, std::size_t elements, Fixtures& fixtures)
      : strategy_(strategy),
        elements_(elements),
        memory_(strategy, elements, fixtures),
        compute_stream_(fixtures.stream(StreamKind::nonblocking)),
        copy_stream_(fixtures.other_stream(StreamKind::nonblocking)),
        gate_(fixtures.gate()),
        chain_(make_chain(strategy, copy_stream_)) {}

  void prepare(std::uint64_t seed) override { memory_.prepare(seed); }
  void verify() override { memory_.verify(chain_->refused()); }

  Findings conclude(std::span<const Summary> /*summaries*/) const override {
    return {outcome_label(strategy_, chain_->refused()),
            {{"correct", is_correct(strategy_) ? 1 : 0},
             {"capacity_elements", static_cast<double>(ChainedMemory::capacity)},
             {"most_hold_ns", static_cast<double>(hold.count())}}};
  }

 protected:
  void close_gate() {
    gate_.close(compute_stream_, [&](GateFlags* flags, std::uint64_t timeout_ns) {
      launch_gated_size_producer(compute_stream_, flags, timeout_ns,
                                 static_cast<std::int32_t>(elements_), memory_.device_size());
    });
    compute_done_.record(compute_stream_);
  }

  void start_chain(const ChainRequest& request) {
    wait(copy_stream_, compute_done_);
    chain_->start(request);
  }

  [[nodiscard]] ChainedMemory& memory() { return memory_; }
  [[nodiscard]] StreamView compute_stream() const { return compute_stream_; }
  [[nodiscard]] Gate& gate() { return gate_; }
  [[nodiscard]] Chain& chain() { return *chain_; }

 private:
  ChainStrategy strategy_;
  std::size_t elements_;
  ChainedMemory memory_;
  StreamView compute_stream_;
  StreamView copy_stream_;
  Gate& gate_;
  Event compute_done_;
  std::unique_ptr<Chain> chain_;
};

enum Figure : std::size_t { host_blocked, end_to_end };
constexpr std::array<std::string_view, 2> figure_names{"host_blocked", "end_to_end"};

class DependentCopy final : public Chained {
 public:
  DependentCopy(Figure metric, ChainStrategy strategy, std::size_t elements, Fixtures& fixtures)
      : Chained(strategy, elements, fixtures), metric_(metric) {}

  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return metric_; }

  void sample(std::span<Nanoseconds> durations) override {
    const ChainRequest request = memory().reset();
    const OpenOnExit guard(gate());
    close_gate();
    gate().start_hold(hold);

    const TimePoint begin = now();
    start_chain(request);
    const TimePoint returned = now();
    // The caller waits already when the producer ends: a wait that only begins then takes longer.
    chain().finish();
    const TimePoint usable = now();
    const TimePoint producer_released = gate().open();

    gate().require_opened_by_host();
    if (usable < producer_released) {
      throw VerificationError("the chain said that it was finished before its producer was");
    }
    durations[Figure::host_blocked] = returned - begin;
    durations[Figure::end_to_end] = usable - producer_released;
    memory().require_arrival(chain().refused());
  }

 private:
  Figure metric_;
};

// From the release of the producer to the first act of the kernel that is launched behind it, into
// the same stream, after the chain was started; and the same with no chain.
class NextLaunch final : public Chained {
 public:
  using Chained::Chained;

  std::span<const std::string_view> figures() const override { return next_figure_names; }
  std::size_t tracked() const override { return 0; }

  void sample(std::span<Nanoseconds> durations) override {
    durations[1] = delay_behind([] {});
    // That producer has written the size. The chain must not take it for its own producer's.
    const ChainRequest request = memory().reset();
    durations[0] = delay_behind([&] { start_chain(request); });
    chain().finish();
    memory().require_arrival(chain().refused());
  }

 private:
  static constexpr std::array<std::string_view, 2> next_figure_names{"next_launch_delay",
                                                                     "launch_alone"};

  template <typename Communicate>
  [[nodiscard]] Nanoseconds delay_behind(const Communicate& communicate) {
    const OpenOnExit guard(gate());
    close_gate();
    next_.watch(compute_stream());
    gate().start_hold(hold);
    communicate();
    next_.launch(compute_stream(), memory().device_size());
    const TimePoint started = next_.started();
    const TimePoint producer_released = gate().open();
    gate().require_opened_by_host();
    return started - producer_released;
  }

  NextKernel next_;
};

std::optional<std::string> refuse(const AxisValues& values) {
  if (values.number("elements") > ChainedMemory::capacity) {
    return "elements: expected at most " + std::to_string(ChainedMemory::capacity);
  }
  return std::nullopt;
}

std::optional<std::string> lacks(const AxisValues& values, const Device& device) {
  return lacks_chain_strategy(parse_axis<ChainStrategy>(values, "strategy", chain_strategy_names),
                              device.driver_version);
}

MemoryNeeds memory_needs(const AxisValues& /*values*/) {
  return {{MemoryKind::pinned, ChainedMemory::capacity * sizeof(double)},
          {MemoryKind::device, ChainedMemory::capacity * sizeof(double)}};
}

std::unique_ptr<Measurement> make(const AxisValues& values, Fixtures& fixtures) {
  const auto strategy = parse_axis<ChainStrategy>(values, "strategy", chain_strategy_names);
  const std::size_t elements = values.number("elements");
  if (values.at("metric") == "next_launch_delay") {
    return std::make_unique<NextLaunch>(strategy, elements, fixtures);
  }
  return std::make_unique<DependentCopy>(parse_axis<Figure>(values, "metric", figure_names),
                                         strategy, elements, fixtures);
}

// Of everything that a row has, the end to end time is the one that differs most by size.
std::vector<Sweep> sweeps() {
  const std::vector<std::string> strategies(chain_strategy_names.begin(),
                                            chain_strategy_names.end());
  const std::vector<std::string> sizes{"0", "1", "16", "1000", "100000", "1048576", "4194304"};
  return {
      {"How long does each way of chaining two copies block the host, and how soon after the "
       "producer is the data on the host?",
       {{"strategy",
         {"stale_arguments", "callback_illegal", "stream_sync", "host_func_worker",
          "copy_capacity"}},
        {"metric", {"host_blocked", "end_to_end"}},
        {"elements", sizes, {"16", "100000"}}}},
      {"How near do they come to the copy of a size that is known?",
       {{"strategy",
         strategies,
         {"known_size", "mapped_size_shared", "speculative_top_up", "device_copy_kernel",
          "graph_switch"}},
        {"metric", {"end_to_end"}},
        {"elements", sizes, {"16"}}}},
      {"For how long does each of them hold up its caller?",
       {{"strategy", strategies}, {"metric", {"host_blocked"}}, {"elements", {"16", "1048576"}}},
       false},
      {"How much later does the next kernel start because of the chain?",
       {{"strategy", strategies, {"stream_sync", "host_func_worker"}},
        {"metric", {"next_launch_delay"}},
        {"elements", {"16", "1048576"}, {"16"}}}}};
}

}  // namespace

Family dependent_copy_family() {
  return {"dependent_copy", sweeps(), make, memory_needs, refuse, lacks};
}

}  // namespace copybench
