// SPDX-License-Identifier: Apache-2.0
// The control: the same copies in a plain loop, with nothing of the harness between two calls. A
// row of another family that differs from its bare loop in the same run shows what the harness
// adds.
#include <algorithm>
#include <array>
#include <vector>

#include <cuda_runtime_api.h>

#include "benchmarks/families.hpp"
#include "common/cuda/check.hpp"
#include "common/cuda/copy.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

enum class Metric { blocked, completion };
constexpr std::array<std::string_view, 2> metric_names{"blocked", "completion"};

class BareLoop final : public Measurement {
 public:
  BareLoop(Metric metric, Direction direction, std::size_t bytes, Fixtures& fixtures)
      : metric_(metric),
        kind_(memcpy_kind(direction)),
        source_(
            fixtures.region(direction == Direction::h2d ? MemoryKind::pinned : MemoryKind::device,
                            Role::source, bytes)),
        destination_(
            fixtures.region(direction == Direction::h2d ? MemoryKind::device : MemoryKind::pinned,
                            Role::destination, bytes)),
        stream_(fixtures.stream(StreamKind::nonblocking).get()),
        verifier_(fixtures.verifier()) {}

  std::span<const std::string_view> figures() const override { return metric_names; }
  std::size_t tracked() const override { return static_cast<std::size_t>(metric_); }
  // One sample is a whole loop, and its figures are the medians of the loop.
  std::size_t least_samples() const override { return 1; }
  std::size_t most_samples() const override { return 1; }

  void prepare(std::uint64_t seed) override {
    seed_ = seed;
    verifier_.fill(source_, seed);
    verifier_.poison(destination_);
  }

  void sample(std::span<Nanoseconds> durations) override {
    // About 30 ms of copying at 50 GB/s, and enough small ones for a steady median.
    const std::size_t rounds = std::clamp<std::size_t>(
        (std::size_t{1500} << 20U) / std::max<std::size_t>(source_.bytes, 1), 5, 500);
    std::vector<Nanoseconds> blocked(rounds);
    std::vector<Nanoseconds> completion(rounds);
    for (std::size_t i = 0; i < rounds; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      const cudaError_t enqueued =
          cudaMemcpyAsync(destination_.data, source_.data, source_.bytes, kind_, stream_);
      const auto returned = std::chrono::steady_clock::now();
      const cudaError_t finished = cudaStreamSynchronize(stream_);
      const auto usable = std::chrono::steady_clock::now();
      check(enqueued, "cudaMemcpyAsync");
      check(finished, "cudaStreamSynchronize");
      blocked[i] = returned - begin;
      completion[i] = usable - begin;
    }
    const std::array<Summary, 2> summaries{summarize(blocked), summarize(completion)};
    durations[0] = summaries[0].median;
    durations[1] = summaries[1].median;
    loop_ = summaries.at(tracked());
  }

  void verify() override { verifier_.verify(destination_, seed_); }

  Findings conclude(std::span<const Summary> summaries) const override {
    const double seconds = std::chrono::duration<double>(summaries[1].median).count();
    Findings findings{"",
                      {{"bytes_per_second", static_cast<double>(source_.bytes) / seconds},
                       {"calls", static_cast<double>(loop_.samples)},
                       {"call_max_ns", static_cast<double>(loop_.max.count())}}};
    if (loop_.p90) {
      findings.counters["call_p90_ns"] = static_cast<double>(loop_.p90->count());
    }
    return findings;
  }

 private:
  Metric metric_;
  cudaMemcpyKind kind_;
  Region source_;
  Region destination_;
  cudaStream_t stream_;
  Verifier& verifier_;
  std::uint64_t seed_ = 0;
  // The distribution of the tracked figure over the calls of the last loop.
  Summary loop_;
};

MemoryNeeds memory_needs(const AxisValues& values) {
  const std::size_t bytes = values.number("bytes");
  return {{MemoryKind::pinned, bytes}, {MemoryKind::device, bytes}};
}

}  // namespace

Family bare_loop_family() {
  return {"bare_loop",
          {{"What does a pinned copy cost in a loop without any harness?",
            {{"metric", {"blocked", "completion"}},
             {"dir", {"h2d", "d2h"}},
             {"mem", {"pinned"}},
             {"bytes", {"4", "1048576", "268435456"}, {"1048576", "268435456"}}}}},
          [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
            return std::make_unique<BareLoop>(parse_axis<Metric>(values, "metric", metric_names),
                                              parse_axis<Direction>(values, "dir", direction_names),
                                              values.number("bytes"), fixtures);
          },
          memory_needs};
}

}  // namespace copybench
