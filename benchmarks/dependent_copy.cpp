// SPDX-License-Identifier: Apache-2.0
// How do you copy N elements to the host when N itself is still on the device?
#include <chrono>
#include <optional>
#include <utility>

#include "benchmarks/families.hpp"
#include "common/chaining/chain.hpp"
#include "common/cuda/event.hpp"
#include "common/measurement/weyl.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;

enum Figure : std::size_t { host_blocked, end_to_end };
constexpr std::array<std::string_view, 2> figure_names{"host_blocked", "end_to_end"};

// What N may be at most: what copy_capacity copies, 32 MiB.
constexpr std::size_t capacity = std::size_t{4} << 20U;

// How long the producer goes on after the chain was started, unless nobody waits for it.
constexpr Nanoseconds hold = 1ms;

class DependentCopy final : public Measurement {
 public:
  DependentCopy(ChainStrategy strategy, Figure metric, std::size_t elements, Fixtures& fixtures)
      : strategy_(strategy),
        metric_(metric),
        elements_(elements),
        old_elements_(elements == 0 ? 1 : elements / 2),  // never the right one
        source_(fixtures.region(MemoryKind::device, Role::source, capacity * sizeof(double))),
        destination_(
            fixtures.region(MemoryKind::pinned, Role::destination, capacity * sizeof(double))),
        device_size_(MemoryKind::device, sizeof(std::int32_t)),
        host_size_(MemoryKind::pinned, sizeof(std::int32_t)),
        compute_stream_(fixtures.stream(StreamKind::nonblocking)),
        copy_stream_(fixtures.other_stream(StreamKind::nonblocking)),
        gate_(fixtures.gate()),
        verifier_(fixtures.verifier()),
        chain_(make_chain(strategy, copy_stream_)) {}

  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return metric_; }

  void prepare(std::uint64_t seed) override {
    seed_ = seed;
    verifier_.fill(source_, seed);
    verifier_.poison(destination_);
  }

  void sample(std::span<Nanoseconds> durations) override {
    const ChainRequest request = reset_request();
    const OpenOnExit guard(gate_);
    gate_.close(compute_stream_, [&](GateFlags* flags, std::uint64_t timeout_ns) {
      launch_gated_size_producer(compute_stream_, flags, timeout_ns,
                                 static_cast<std::int32_t>(elements_),
                                 reinterpret_cast<std::int32_t*>(device_size_.data()));
    });
    compute_done_.record(compute_stream_);
    gate_.start_hold(hold);

    const TimePoint begin = now();
    wait(copy_stream_, compute_done_);
    chain_->start(request);
    const TimePoint returned = now();
    const TimePoint producer_released = gate_.open();
    chain_->finish();
    const TimePoint usable = now();

    gate_.require_opened_by_host();
    durations[Figure::host_blocked] = returned - begin;
    durations[Figure::end_to_end] = usable - producer_released;
    require_arrival();
  }

  void verify() override {
    verifier_.verify_prefix(destination_, delivered() * sizeof(double), seed_);
  }

  Findings conclude(std::span<const Summary> /*summaries*/) const override {
    return {outcome_label(strategy_, chain_->refused()),
            {{"correct", is_correct(strategy_) ? 1 : 0},
             {"capacity_elements", static_cast<double>(capacity)},
             {"most_hold_ns", static_cast<double>(hold.count())}}};
  }

 private:
  [[nodiscard]] std::size_t delivered() const {
    if (strategy_ == ChainStrategy::callback_illegal && !chain_->refused()) {
      return elements_;  // a driver that does not refuse has copied after all
    }
    return elements_delivered(strategy_, elements_, old_elements_, capacity);
  }

  // Whatever a sample leaves behind would let the next one pass: the size on both sides, and the
  // last element to arrive. verify() looks at all of them, but only after the last sample of a
  // batch.
  ChainRequest reset_request() {
    auto* const size = reinterpret_cast<std::int32_t*>(host_size_.data());
    *size = static_cast<std::int32_t>(old_elements_);
    verifier_.spoil({MemoryKind::device, device_size_.data(), device_size_.size()});
    if (strategy_ != ChainStrategy::callback_illegal && delivered() > 0) {
      words()[delivered() - 1] = ~weyl_word(seed_, delivered() - 1);
    }
    return {reinterpret_cast<const std::int32_t*>(device_size_.data()), size,
            reinterpret_cast<const double*>(source_.data),
            reinterpret_cast<double*>(destination_.data), capacity};
  }

  void require_arrival() const {
    if (std::cmp_not_equal(*reinterpret_cast<const std::int32_t*>(host_size_.data()), elements_)) {
      throw VerificationError("the size on the host is not the one that the device produced");
    }
    if (strategy_ != ChainStrategy::callback_illegal && delivered() > 0 &&
        words()[delivered() - 1] != weyl_word(seed_, delivered() - 1)) {
      throw VerificationError(
          "the last element had not arrived when the chain said it was finished");
    }
  }

  [[nodiscard]] std::uint64_t* words() const {
    return reinterpret_cast<std::uint64_t*>(destination_.data);
  }

  ChainStrategy strategy_;
  Figure metric_;
  std::size_t elements_;
  std::size_t old_elements_;
  Region source_;
  Region destination_;
  Buffer device_size_;
  Buffer host_size_;
  StreamView compute_stream_;
  StreamView copy_stream_;
  Gate& gate_;
  Verifier& verifier_;
  Event compute_done_;
  std::uint64_t seed_ = 0;
  std::unique_ptr<Chain> chain_;
};

std::optional<std::string> refuse(const AxisValues& values) {
  if (values.number("elements") > capacity) {
    return "elements: expected at most " + std::to_string(capacity);
  }
  return std::nullopt;
}

std::optional<std::string> lacks(const AxisValues& values, const Device& device) {
  return lacks_chain_strategy(parse_axis<ChainStrategy>(values, "strategy", chain_strategy_names),
                              device.driver_version);
}

MemoryNeeds memory_needs(const AxisValues& /*values*/) {
  return {{MemoryKind::pinned, capacity * sizeof(double)},
          {MemoryKind::device, capacity * sizeof(double)}};
}

}  // namespace

Family dependent_copy_family() {
  return {"dependent_copy",
          {{"How long does each way of chaining two copies block the host, and how soon after the "
            "producer is the data on the host?",
            {{"strategy",
              {chain_strategy_names.begin(), chain_strategy_names.end()},
              {"stale_arguments", "callback_illegal", "stream_sync", "host_func_worker",
               "copy_capacity", "device_copy_kernel", "graph_switch"}},
             {"metric", {"host_blocked", "end_to_end"}},
             {"elements",
              {"0", "1", "16", "1000", "100000", "1048576", "4194304"},
              {"16", "100000"}}}}},
          [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
            return std::make_unique<DependentCopy>(
                parse_axis<ChainStrategy>(values, "strategy", chain_strategy_names),
                parse_axis<Figure>(values, "metric", figure_names), values.number("elements"),
                fixtures);
          },
          memory_needs,
          refuse,
          lacks};
}

}  // namespace copybench
