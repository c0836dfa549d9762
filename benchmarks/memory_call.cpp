// SPDX-License-Identifier: Apache-2.0
// Calls that work on memory without copying it: do they make the calling thread wait?
#include <array>
#include <chrono>
#include <string>

#include "benchmarks/families.hpp"
#include "benchmarks/memory_call_sweeps.hpp"
#include "common/cuda/check.hpp"
#include "common/cuda/device.hpp"
#include "common/cuda/prefetch.hpp"
#include "common/measurement/blocked_call.hpp"
#include "common/measurement/weyl.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

enum class MemoryApi { memset, memset_async, prefetch_async };
constexpr std::array<std::string_view, 3> memory_api_names{"memset", "memset_async",
                                                           "prefetch_async"};

struct Case {
  MemoryApi api;
  MemoryKind memory;
  StreamKind stream;
  Queue queue;
  std::size_t bytes;
};

Case parse(const AxisValues& values) {
  return {parse_axis<MemoryApi>(values, "api", memory_api_names),
          parse_axis<MemoryKind>(values, "mem", memory_kind_names),
          parse_axis<StreamKind>(values, "stream", stream_kind_names),
          parse_axis<Queue>(values, "queue", queue_names), values.number("bytes")};
}

class MemoryCall final : public Measurement {
 public:
  MemoryCall(const Case& parsed, Fixtures& fixtures)
      : case_(parsed),
        memory_(fixtures.region(parsed.memory, Role::destination, parsed.bytes)),
        device_(current_device()),
        stream_(fixtures.stream(parsed.stream)),
        call_(parsed.queue, stream_, fixtures.other_stream(StreamKind::blocking), fixtures.gate()),
        verifier_(fixtures.verifier()) {}

  std::span<const std::string_view> figures() const override { return call_.figures(); }
  std::size_t tracked() const override { return BlockedCall::tracked; }
  std::size_t least_samples() const override { return BlockedCall::least_samples; }

  void prepare(std::uint64_t seed) override {
    seed_ = seed;
    value_ = Verifier::constant(seed);
    // A call into managed memory may be longer for pages that sit with the host.
    call_.choose_hold(case_.bytes, [this] {
      touch_on_host();
      make();
    });
    verifier_.poison(memory_);
    if (!sets_memory()) {
      verifier_.fill(memory_, seed);
    }
  }

  void sample(std::span<Nanoseconds> durations) override {
    touch_on_host();
    call_.sample(durations, [this] { make(); });
    require_last_byte();
  }

  void verify() override {
    if (sets_memory()) {
      verifier_.verify_constant(memory_, value_);
    } else {
      verifier_.verify(memory_, seed_);
    }
  }

  Findings conclude(std::span<const Summary> summaries) const override {
    Findings findings = call_.conclude(summaries);
    if (case_.queue != Queue::busy_elsewhere) {
      findings.counters["bytes_per_second"] =
          static_cast<double>(case_.bytes) /
          std::chrono::duration<double>(call_.copied_in(summaries)).count();
    }
    return findings;
  }

 private:
  [[nodiscard]] bool sets_memory() const { return case_.api != MemoryApi::prefetch_async; }

  void make() const {
    const int value = std::to_integer<int>(value_);
    switch (case_.api) {
      case MemoryApi::memset:
        check(cudaMemset(memory_.data, value, case_.bytes), "cudaMemset");
        return;
      case MemoryApi::memset_async:
        check(cudaMemsetAsync(memory_.data, value, case_.bytes, stream_.get()), "cudaMemsetAsync");
        return;
      case MemoryApi::prefetch_async:
        prefetch_to_device(memory_.data, case_.bytes, device_, stream_);
        return;
    }
  }

  // Before every call managed memory sits with the host, and memory that the host can see has a
  // wrong byte that the call has to set.
  void touch_on_host() {
    constexpr std::size_t page = 4096;
    if (case_.memory == MemoryKind::managed) {
      for (std::size_t i = 0; i < case_.bytes; i += page) {
        touch(i);
      }
    }
    if (is_host_accessible(case_.memory)) {
      touch(case_.bytes - 1);
    }
  }
  void touch(std::size_t i) { memory_.data[i] = sets_memory() ? ~value_ : weyl_byte(seed_, i); }
  void require_last_byte() {
    if (sets_memory() && is_host_accessible(case_.memory) &&
        memory_.data[case_.bytes - 1] != value_) {
      throw VerificationError("the last byte had not been set when the stream was drained");
    }
  }

  Case case_;
  Region memory_;
  int device_;
  StreamView stream_;
  BlockedCall call_;
  Verifier& verifier_;
  std::uint64_t seed_ = 0;
  std::byte value_{};
};

MemoryNeeds memory_needs(const AxisValues& values) {
  return {{parse(values).memory, values.number("bytes")}};
}

std::optional<std::string> refuse(const AxisValues& values) {
  return values.number("bytes") > 0 ? std::nullopt
                                    : std::optional<std::string>("bytes: 0 is no memory to set");
}

std::optional<std::string> lacks(const AxisValues& values, const Device& device) {
  if (parse(values).api == MemoryApi::prefetch_async && !device.concurrent_managed_access) {
    return "needs concurrent access to managed memory";
  }
  return std::nullopt;
}

}  // namespace

Family memory_call_family() {
  return {"memory_call",
          memory_call_sweeps(),
          [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
            return std::make_unique<MemoryCall>(parse(values), fixtures);
          },
          memory_needs,
          refuse,
          lacks};
}

}  // namespace copybench
