// SPDX-License-Identifier: Apache-2.0
// The first question as its program runs: copy in, scale, copy out, all "asynchronous", then wait.
#include <algorithm>
#include <atomic>
#include <optional>

#include "benchmarks/families.hpp"
#include "common/cuda/copy.hpp"
#include "common/parallel.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

// blocked is what the three asynchronous calls take together before the program can go on.
enum Figure : std::size_t { blocked, copy_in, launch, copy_out, synchronize, total };
constexpr std::array<std::string_view, 6> figure_names{"blocked",  "copy_in",     "launch",
                                                       "copy_out", "synchronize", "total"};

constexpr float factor = 2.0F;
constexpr std::int64_t clock_ticks = 14'100;
constexpr std::size_t grain = std::size_t{1} << 20U;

float value_at(std::size_t i) { return 0.01F * static_cast<float>(i); }

class CopyScaleCopy final : public Measurement {
 public:
  CopyScaleCopy(MemoryKind memory, Figure metric, std::size_t elements, Fixtures& fixtures)
      : metric_(metric),
        elements_(elements),
        host_(fixtures.region(memory, Role::source, elements * sizeof(float))),
        device_(fixtures.region(MemoryKind::device, Role::destination, elements * sizeof(float))),
        stream_(fixtures.stream(StreamKind::nonblocking)),
        verifier_(fixtures.verifier()) {}

  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return metric_; }

  // The data of this case is the question's, not a pattern.
  void prepare(std::uint64_t /*seed*/) override { verifier_.poison(host_); }

  void sample(std::span<Nanoseconds> durations) override {
    verifier_.poison(device_);
    fill();
    const TimePoint begin = now();
    copy_async(device_.data, host_.data, host_.bytes, Direction::h2d, stream_);
    const TimePoint copied_in = now();
    launch_scale(stream_, reinterpret_cast<float*>(device_.data), elements_, factor, clock_ticks);
    const TimePoint launched = now();
    copy_async(host_.data, device_.data, host_.bytes, Direction::d2h, stream_);
    const TimePoint copied_out = now();
    stream_.sync();
    const TimePoint usable = now();
    durations[Figure::blocked] = copied_out - begin;
    durations[Figure::copy_in] = copied_in - begin;
    durations[Figure::launch] = launched - copied_in;
    durations[Figure::copy_out] = copied_out - launched;
    durations[Figure::synchronize] = usable - copied_out;
    durations[Figure::total] = usable - begin;
  }

  void verify() override {
    std::atomic<std::size_t> wrong{0};
    parallel_for(elements_, grain, [&](std::size_t begin, std::size_t end) {
      std::size_t wrong_here = 0;
      for (std::size_t i = begin; i < end; ++i) {
        wrong_here += values()[i] == 2 * value_at(i) ? 0U : 1U;
      }
      wrong += wrong_here;
    });
    if (wrong != 0) {
      throw VerificationError(std::to_string(wrong) + " scaled values are wrong");
    }
    verifier_.verify_canaries(host_);
    verifier_.verify_canaries(device_);
  }

  Findings conclude(std::span<const Summary> /*summaries*/) const override { return {}; }

 private:
  [[nodiscard]] float* values() const { return reinterpret_cast<float*>(host_.data); }

  void fill() {
    parallel_for(elements_, grain, [this](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        values()[i] = value_at(i);
      }
    });
  }

  Figure metric_;
  std::size_t elements_;
  Region host_;
  Region device_;
  StreamView stream_;
  Verifier& verifier_;
};

std::optional<std::string> refuse(const AxisValues& values) {
  return values.number("elements") == 0
             ? std::optional<std::string>("elements: expected at least 1")
             : std::nullopt;
}

MemoryNeeds memory_needs(const AxisValues& values) {
  const std::size_t bytes = values.number("elements") * sizeof(float);
  return {{parse_axis<MemoryKind>(values, "mem", memory_kind_names), bytes},
          {MemoryKind::device, bytes}};
}

}  // namespace

Family scenario_copy_scale_copy_family() {
  return {"scenario_copy_scale_copy",
          {{"Which of the calls of an asynchronous program block, from pageable and from pinned "
            "memory?",
            {{"mem", {"pageable", "pinned"}},
             {"metric",
              {"blocked", "copy_in", "launch", "copy_out", "synchronize", "total"},
              {"blocked", "synchronize"}},
             {"elements", {"16777216", "268435456"}, {"16777216"}}}}},
          [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
            return std::make_unique<CopyScaleCopy>(
                parse_axis<MemoryKind>(values, "mem", memory_kind_names),
                parse_axis<Figure>(values, "metric", figure_names), values.number("elements"),
                fixtures);
          },
          memory_needs,
          refuse};
}

}  // namespace copybench
