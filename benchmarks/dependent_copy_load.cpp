// SPDX-License-Identifier: Apache-2.0
// Dependent copies as programs have them: sizes that change, several at once, links that depend on
// each other, producers of any length, and processors that others use.
#include <chrono>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "benchmarks/busy_other_cores.hpp"
#include "benchmarks/dependent_copy_load_sweeps.hpp"
#include "benchmarks/families.hpp"
#include "benchmarks/linked_chain.hpp"
#include "benchmarks/size_source.hpp"
#include "common/cuda/copy.hpp"
#include "common/measurement/quiet_cpu.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;

enum Figure : std::size_t { end_to_end, host_blocked, cpu_time };
constexpr std::array<std::string_view, 3> figure_names{"end_to_end", "host_blocked", "cpu_time"};

// From the start of the first chain. A thread that waits has long been asleep when a long producer
// ends; a short one ends while the chains are being started.
Nanoseconds producer_time(const AxisValues& values) {
  return values.at("producer") == "long" ? Nanoseconds(5ms) : Nanoseconds{};
}

class DependentCopyLoad final : public Measurement {
 public:
  DependentCopyLoad(const AxisValues& values, Fixtures& fixtures)
      : strategy_(parse_axis<ChainStrategy>(values, "strategy", chain_strategy_names)),
        metric_(parse_axis<Figure>(values, "metric", figure_names)),
        links_(values.number("links")),
        slot_(values.number("elements")),
        producer_time_(producer_time(values)),
        sizes_of_link_(parse_axis<SizeDistribution>(values, "sizes", size_distribution_names),
                       slot_ / links_),
        sizes_(values.number("chains") * links_),
        next_sizes_(MemoryKind::device, sizes_.size() * sizeof(std::int32_t)),
        device_sizes_(MemoryKind::device, sizes_.size() * sizeof(std::int32_t)),
        source_(fixtures.region(MemoryKind::device, Role::source, region_bytes())),
        destination_(fixtures.region(MemoryKind::pinned, Role::destination, region_bytes())),
        compute_stream_(fixtures.stream(StreamKind::nonblocking)),
        gate_(fixtures.gate()),
        verifier_(fixtures.verifier()),
        busy_(values.at("cores") == "busy" ? std::make_unique<BusyOtherCores>() : nullptr) {
    for (std::size_t i = 0; i < values.number("chains"); ++i) {
      chains_.push_back(std::make_unique<LinkedChain>(
          strategy_, links_, reinterpret_cast<const double*>(source_.data) + i * slot_,
          reinterpret_cast<double*>(destination_.data) + i * slot_, slot_));
    }
  }

  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return metric_; }

  void prepare(std::uint64_t seed) override {
    seed_ = seed;
    verifier_.fill(source_, seed);
  }

  void sample(std::span<Nanoseconds> durations) override {
    reset();
    const OpenOnExit guard(gate_);
    gate_.close(compute_stream_);
    launch_copy(compute_stream_, device_sizes_.data(), next_sizes_.data(), device_sizes_.size());
    producer_done_.record(compute_stream_);
    {
      const BusyScope others(busy_.get());
      const Nanoseconds cpu_before = process_cpu_time();
      gate_.start_hold(producer_time_);
      durations[Figure::host_blocked] = go_through_links();
      const TimePoint usable = now();
      durations[Figure::cpu_time] = process_cpu_time() - cpu_before;
      durations[Figure::end_to_end] = usable - gate_.open();
    }
    gate_.require_opened_by_host();
    moved_bytes_ += std::accumulate(
        chains_.begin(), chains_.end(), std::size_t{0},
        [](std::size_t sum, const auto& chain) { return sum + chain->moved_bytes(); });
    ++samples_;
  }

  void verify() override {
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < chains_.size(); ++i) {
      const std::size_t begin = i * slot_ * sizeof(double);
      pieces.push_back({begin, chains_[i]->written() * sizeof(double), begin});
    }
    verifier_.verify_pieces(destination_, pieces, seed_);
  }

  Findings conclude(std::span<const Summary> /*summaries*/) const override {
    return {"",
            {{"moved_bytes", static_cast<double>(moved_bytes_) / static_cast<double>(samples_)},
             {"capacity_elements", static_cast<double>(slot_)},
             {"producer_ns", static_cast<double>(producer_time_.count())}}};
  }

 private:
  [[nodiscard]] std::size_t region_bytes() const {
    return sizes_.size() / links_ * slot_ * sizeof(double);
  }

  // Each sample has sizes of its own, so what the last one left behind would be taken for new.
  void reset() {
    for (std::int32_t& size : sizes_) {
      size = static_cast<std::int32_t>(sizes_of_link_.next());
    }
    copy(next_sizes_.data(), reinterpret_cast<const std::byte*>(sizes_.data()), next_sizes_.size(),
         Direction::h2d);
    // It may return before the sizes have arrived, and the next stream does not wait for this one.
    StreamView(cudaStreamLegacy).sync();
    verifier_.spoil({MemoryKind::device, device_sizes_.data(), device_sizes_.size()});
    verifier_.poison(destination_);
    for (std::size_t i = 0; i < chains_.size(); ++i) {
      chains_[i]->reset(std::span<const std::int32_t>(sizes_).subspan(i * links_, links_),
                        sizes_of_link_.guess());
    }
  }

  // Returns how long the starts blocked.
  Nanoseconds go_through_links() {
    Nanoseconds blocked = start_all();
    for (std::size_t link = 0; link < links_; ++link) {
      for (std::size_t i = 0; i < chains_.size(); ++i) {
        chains_[i]->finish();
        if (!chains_[i]->is_over()) {
          blocked += start(i);
        }
      }
    }
    return blocked;
  }

  Nanoseconds start_all() {
    Nanoseconds blocked{};
    for (std::size_t i = 0; i < chains_.size(); ++i) {
      blocked += start(i);
    }
    return blocked;
  }

  Nanoseconds start(std::size_t i) {
    const auto* const sizes = reinterpret_cast<const std::int32_t*>(device_sizes_.data());
    return chains_[i]->start(producer_done_, {sizes + i * links_, links_});
  }

  ChainStrategy strategy_;
  Figure metric_;
  std::size_t links_;
  // Elements that there may be in a chain.
  std::size_t slot_;
  Nanoseconds producer_time_;
  SizeSource sizes_of_link_;
  std::vector<std::int32_t> sizes_;
  Buffer next_sizes_;
  Buffer device_sizes_;
  Region source_;
  Region destination_;
  StreamView compute_stream_;
  Gate& gate_;
  Verifier& verifier_;
  std::unique_ptr<BusyOtherCores> busy_;
  Event producer_done_;
  std::uint64_t seed_ = 0;
  std::size_t moved_bytes_ = 0;
  std::size_t samples_ = 0;
  std::vector<std::unique_ptr<LinkedChain>> chains_;
};

std::optional<std::string> refuse(const AxisValues& values) {
  constexpr std::size_t most_elements = std::size_t{1} << 20U;
  constexpr std::size_t most_chains = 64;
  constexpr std::size_t most_links = 16;
  const auto out_of = [&](const char* key, std::size_t least, std::size_t most) {
    return values.number(key) < least || values.number(key) > most
               ? std::optional(std::string(key) + ": expected " + std::to_string(least) + " to " +
                               std::to_string(most))
               : std::nullopt;
  };
  if (const auto reason = out_of("chains", 1, most_chains)) {
    return reason;
  }
  if (const auto reason = out_of("links", 1, most_links)) {
    return reason;
  }
  return out_of("elements", 0, most_elements);
}

MemoryNeeds memory_needs(const AxisValues& values) {
  const std::size_t bytes = values.number("chains") * values.number("elements") * sizeof(double);
  // What is looked at is fetched first.
  return {{MemoryKind::pinned, bytes}, {MemoryKind::device, bytes}, {MemoryKind::pageable, bytes}};
}

std::optional<std::string> lacks(const AxisValues& values, const Device& device) {
  if (values.at("cores") == "busy" && cpu_count() < 2) {
    return "needs 2 processors";
  }
  return lacks_chain_strategy(parse_axis<ChainStrategy>(values, "strategy", chain_strategy_names),
                              device.driver_version);
}

}  // namespace

Family dependent_copy_load_family() {
  return {"dependent_copy_load",
          dependent_copy_load_sweeps(),
          [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
            return std::make_unique<DependentCopyLoad>(values, fixtures);
          },
          memory_needs,
          refuse,
          lacks};
}

}  // namespace copybench
