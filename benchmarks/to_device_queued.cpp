// SPDX-License-Identifier: Apache-2.0
// Many kernels are queued on the legacy stream: does putting an array on the device wait for them?
#include "benchmarks/families.hpp"
#include "common/cuda/event.hpp"
#include "common/measurement/verdict.hpp"
#include "common/staging/array_transfer.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

enum Figure : std::size_t { blocked, completion };
constexpr std::array<std::string_view, 2> figure_names{"blocked", "completion"};

// 50 kernels keep the stream busy for 20 ms.
constexpr std::uint64_t kernel_ns = 400'000;

class ToDeviceQueued final : public Measurement {
 public:
  ToDeviceQueued(const AxisValues& values, Fixtures& fixtures)
      : kernels_(values.number("kernels")),
        metric_(parse_axis<Figure>(values, "metric", figure_names)),
        source_(fixtures.region(parse_axis<MemoryKind>(values, "mem", memory_kind_names),
                                Role::source, values.number("bytes"))),
        destination_(
            fixtures.region(MemoryKind::device, Role::destination, values.number("bytes"))),
        kernel_stream_(fixtures.stream(StreamKind::legacy)),
        copy_stream_(fixtures.stream(parse_axis<StreamKind>(values, "stream", stream_kind_names))),
        transfer_(
            fixtures.transfer(parse_axis<ArrayStrategy>(values, "strategy", array_strategy_names))),
        verifier_(fixtures.verifier()) {}

  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return metric_; }

  void prepare(std::uint64_t seed) override {
    seed_ = seed;
    verifier_.fill(source_, seed);
    verifier_.poison(destination_);
  }

  void sample(std::span<Nanoseconds> durations) override {
    for (std::size_t i = 0; i < kernels_; ++i) {
      launch_timed_gate(kernel_stream_, kernel_ns);
    }
    kernels_done_.record(kernel_stream_);
    const TimePoint begin = now();
    transfer_.to_device(destination_.data, source_.data, source_.bytes, copy_stream_);
    const TimePoint returned = now();
    const bool queue_was_drained = kernels_done_.is_done();
    copy_stream_.sync();
    const TimePoint usable = now();
    kernel_stream_.sync();
    durations[Figure::blocked] = returned - begin;
    durations[Figure::completion] = usable - begin;
    returned_after_kernels_ += queue_was_drained ? 1 : 0;
    ++samples_;
  }

  void verify() override { verifier_.verify(destination_, seed_); }

  Findings conclude(std::span<const Summary> /*summaries*/) const override {
    return {std::string(name_of(judge_busy(returned_after_kernels_, samples_), verdict_names)),
            {{"queued_ns", static_cast<double>(kernels_ * kernel_ns)},
             {"waited_for_queue_fraction",
              static_cast<double>(returned_after_kernels_) / static_cast<double>(samples_)}}};
  }

 private:
  std::size_t kernels_;
  Figure metric_;
  Region source_;
  Region destination_;
  StreamView kernel_stream_;
  StreamView copy_stream_;
  ArrayTransfer& transfer_;
  Verifier& verifier_;
  Event kernels_done_;
  std::uint64_t seed_ = 0;
  std::size_t samples_ = 0;
  std::size_t returned_after_kernels_ = 0;
};

MemoryNeeds memory_needs(const AxisValues& values) {
  return {{parse_axis<MemoryKind>(values, "mem", memory_kind_names), values.number("bytes")},
          {MemoryKind::device, values.number("bytes")}};
}

// A copy that merely takes long must be over before the kernels are, or it would look like one that
// waits for them: the more bytes, the more kernels.
Sweep sweep(std::string kernels, std::vector<std::string> bytes, bool in_quick) {
  return {"Does to_device wait for kernels that are queued on the legacy stream?",
          {{"strategy", {"driver_pageable"}},
           {"mem", {"pageable"}},
           {"stream", {"legacy", "blocking", "nonblocking"}},
           {"kernels", {std::move(kernels)}},
           {"metric", {"blocked", "completion"}, {"blocked"}},
           {"bytes", std::move(bytes)}},
          in_quick};
}

}  // namespace

Family to_device_queued_family() {
  return {"to_device_queued",
          {sweep("50", {"1048576", "67108864"}, true), sweep("600", {"800000000"}, false)},
          [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
            return std::make_unique<ToDeviceQueued>(values, fixtures);
          },
          memory_needs};
}

}  // namespace copybench
