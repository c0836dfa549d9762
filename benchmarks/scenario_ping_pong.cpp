// SPDX-License-Identifier: Apache-2.0
// The third question as its program runs: two compute streams and a copy stream, three launches.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>

#include "benchmarks/families.hpp"
#include "common/chaining/chain.hpp"
#include "common/chaining/ping_pong_model.hpp"
#include "common/cuda/copy.hpp"
#include "common/cuda/event.hpp"
#include "common/measurement/drawn_part.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

enum Figure : std::size_t { total, host_blocked };
constexpr std::array<std::string_view, 2> figure_names{"total", "host_blocked"};

// The question's kernels sleep for seconds. What matters is that a kernel outlasts every copy.
constexpr std::uint64_t kernel_ns = 2'000'000;
constexpr std::size_t halves = PingPongModel::old_sizes.size();
constexpr std::size_t launches = PingPongModel::launches;
// What the program looks at after each communication: more than any size that occurs.
constexpr std::size_t used_elements = 16;

class PingPong final : public Measurement {
 public:
  PingPong(ChainStrategy strategy, Figure metric, std::size_t elements, Fixtures& fixtures)
      : strategy_(strategy),
        metric_(metric),
        elements_(elements),
        device_data_(
            fixtures.region(MemoryKind::device, Role::source, halves * elements * sizeof(double))),
        host_data_(
            fixtures.region(MemoryKind::pinned, Role::destination, elements * sizeof(double))),
        device_sizes_(MemoryKind::device, halves * sizeof(std::int32_t)),
        host_sizes_(MemoryKind::pinned, halves * sizeof(std::int32_t)),
        compute_streams_{fixtures.stream(StreamKind::nonblocking),
                         fixtures.other_stream(StreamKind::nonblocking)},
        copy_stream_(StreamKind::nonblocking),
        verifier_(fixtures.verifier()),
        start_values_(halves * elements, PingPongModel::start_value),
        chain_(make_chain(strategy, copy_stream_)) {}

  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return metric_; }
  std::size_t least_samples() const override { return 11; }

  // The data of this case is the question's, not a pattern.
  void prepare(std::uint64_t /*seed*/) override {
    verifier_.poison(host_data_);
    verifier_.poison(device_data_);
  }

  void sample(std::span<Nanoseconds> durations) override {
    reset();
    const DrawnPart drawn;
    Nanoseconds blocked{};
    const TimePoint begin = now();
    launch(0);
    for (std::size_t k = 1; k < launches; ++k) {
      blocked += communicate(k - 1);
      launch(k);
      use(k - 1);
    }
    blocked += communicate(launches - 1);
    use(launches - 1);
    durations[Figure::total] = now() - begin;
    durations[Figure::host_blocked] = blocked;
  }

  void verify() override {
    PingPongModel model(elements_);
    std::array<std::int32_t, halves> known = PingPongModel::old_sizes;
    for (std::size_t k = 0; k < launches; ++k) {
      const std::int32_t size = PingPongModel::sizes.at(k);
      const std::int32_t old_size = std::exchange(known.at(k % halves), size);
      const std::size_t copied = strategy_ == ChainStrategy::callback_illegal && !chain_->refused()
                                     ? static_cast<std::size_t>(size)
                                     : elements_delivered(strategy_, static_cast<std::size_t>(size),
                                                          static_cast<std::size_t>(old_size),
                                                          elements_, expected(k, old_size));
      require_size(size, used_sizes_.at(k), k);
      const std::span<const double> expected(model.step(k, copied));
      require_equal(expected.first(used_elements), used_.at(k), k);
      if (k == launches - 1) {
        require_equal(expected, {host_values(), elements_}, k);
      }
    }
    verifier_.verify_canaries(host_data_);
    verifier_.verify_canaries(device_data_);
  }

  Findings conclude(std::span<const Summary> /*summaries*/) const override {
    return {outcome_label(strategy_, chain_->refused()),
            {{"correct", is_correct(strategy_) ? 1 : 0},
             {"kernel_ns", static_cast<double>(kernel_ns)}}};
  }

 private:
  void reset() {
    const std::size_t bytes = start_values_.size() * sizeof(double);
    copy(device_data_.data, reinterpret_cast<const std::byte*>(start_values_.data()), bytes,
         Direction::h2d);
    std::memcpy(host_data_.data, start_values_.data(), elements_ * sizeof(double));
    std::memcpy(host_sizes_.data(), PingPongModel::old_sizes.data(), host_sizes_.size());
    verifier_.spoil({MemoryKind::device, device_sizes_.data(), device_sizes_.size()});
    Stream(StreamKind::legacy).sync();
  }

  void launch(std::size_t k) {
    const std::size_t half = k % halves;
    launch_grow(compute_streams_.at(half), half_of(half), elements_, static_cast<int>(k),
                PingPongModel::sizes.at(k), device_size(half), kernel_ns);
    compute_done_.at(half).record(compute_streams_.at(half));
  }

  // What is guessed is the size that the same half had before: too little at first, then too much.
  [[nodiscard]] std::size_t expected(std::size_t k, std::int32_t old_size) const {
    return static_cast<std::size_t>(
        strategy_ == ChainStrategy::known_size ? PingPongModel::sizes.at(k) : old_size);
  }

  // Returns how long the host was held up before it could go on to launch the next kernel.
  Nanoseconds communicate(std::size_t k) {
    const std::size_t half = k % halves;
    auto* const host_size = reinterpret_cast<std::int32_t*>(host_sizes_.data()) + half;
    const ChainRequest request{device_size(half), host_size,
                               half_of(half),     reinterpret_cast<double*>(host_data_.data),
                               elements_,         expected(k, *host_size)};
    const TimePoint begin = now();
    wait(copy_stream_, compute_done_.at(half));
    chain_->start(request);
    return now() - begin;
  }

  void use(std::size_t k) {
    chain_->finish();
    used_sizes_.at(k) = reinterpret_cast<const std::int32_t*>(host_sizes_.data())[k % halves];
    std::copy_n(host_values(), used_elements, used_.at(k).begin());
  }

  [[nodiscard]] double* host_values() const { return reinterpret_cast<double*>(host_data_.data); }

  [[nodiscard]] double* half_of(std::size_t half) const {
    return reinterpret_cast<double*>(device_data_.data) + half * elements_;
  }
  [[nodiscard]] std::int32_t* device_size(std::size_t half) const {
    return reinterpret_cast<std::int32_t*>(device_sizes_.data()) + half;
  }

  static void require_size(std::int32_t expected, std::int32_t used, std::size_t k) {
    if (used != expected) {
      throw VerificationError("size after launch " + std::to_string(k) + " is " +
                              std::to_string(used) + " and should be " + std::to_string(expected));
    }
  }

  static void require_equal(std::span<const double> expected, std::span<const double> used,
                            std::size_t k) {
    const auto [wanted, got] = std::ranges::mismatch(expected, used);
    if (wanted != expected.end()) {
      throw VerificationError("host array after launch " + std::to_string(k) + ": element " +
                              std::to_string(wanted - expected.begin()) + " is " +
                              std::to_string(*got) + " and should be " + std::to_string(*wanted));
    }
  }

  ChainStrategy strategy_;
  Figure metric_;
  std::size_t elements_;
  Region device_data_;
  Region host_data_;
  Buffer device_sizes_;
  Buffer host_sizes_;
  std::array<StreamView, halves> compute_streams_;
  Stream copy_stream_;
  std::array<Event, halves> compute_done_;
  Verifier& verifier_;
  std::vector<double> start_values_;
  std::array<std::int32_t, launches> used_sizes_{};
  std::array<std::array<double, used_elements>, launches> used_{};
  std::unique_ptr<Chain> chain_;
};

std::optional<std::string> refuse(const AxisValues& values) {
  if (values.number("elements") < used_elements) {
    return "elements: expected at least " + std::to_string(used_elements);
  }
  return std::nullopt;
}

std::optional<std::string> lacks(const AxisValues& values, const Device& device) {
  return lacks_chain_strategy(parse_axis<ChainStrategy>(values, "strategy", chain_strategy_names),
                              device.driver_version);
}

MemoryNeeds memory_needs(const AxisValues& values) {
  const std::size_t bytes = values.number("elements") * sizeof(double);
  // On the heap: the start values, and the model's three arrays while it checks.
  return {{MemoryKind::pinned, bytes},
          {MemoryKind::device, halves * bytes},
          {MemoryKind::pageable, 5 * bytes}};
}

}  // namespace

Family scenario_ping_pong_family() {
  return {"scenario_ping_pong",
          {{"How soon can the next kernel start when a copy of unknown length comes first?",
            {{"strategy",
              {chain_strategy_names.begin(), chain_strategy_names.end()},
              {"stale_arguments", "callback_illegal", "stream_sync", "host_func_worker",
               "copy_capacity", "mapped_size_shared", "device_copy_kernel"}},
             {"metric", {"total", "host_blocked"}},
             {"elements", {"262144"}}}}},
          [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
            return std::make_unique<PingPong>(
                parse_axis<ChainStrategy>(values, "strategy", chain_strategy_names),
                parse_axis<Figure>(values, "metric", figure_names), values.number("elements"),
                fixtures);
          },
          memory_needs,
          refuse,
          lacks};
}

}  // namespace copybench
