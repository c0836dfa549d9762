// SPDX-License-Identifier: Apache-2.0
// What does it cost to pin host memory and to unpin it, and what of that is the page faults of
// memory that nobody has touched yet?
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <sys/resource.h>

#include "benchmarks/families.hpp"
#include "benchmarks/page_toucher.hpp"
#include "benchmarks/pinning_sweeps.hpp"
#include "common/cuda/pinned_range.hpp"
#include "common/cuda/untouched_memory.hpp"
#include "common/measurement/quiet_cpu.hpp"
#include "common/measurement/verification.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

enum class PinningApi { host_alloc, host_register };
constexpr std::array<std::string_view, 2> pinning_api_names{"host_alloc", "host_register"};

enum Figure : std::size_t { touch, pin, unpin, total };
constexpr std::array<std::string_view, 4> figure_names{"touch", "pin", "unpin", "total"};

struct Case {
  PinningApi api;
  MemoryKind memory;
  // 0: the call that pins is the first to touch the memory.
  std::size_t touch_threads;
  std::size_t bytes;
};

Case parse(const AxisValues& values) {
  return {parse_axis<PinningApi>(values, "api", pinning_api_names),
          parse_axis<MemoryKind>(values, "mem", memory_kind_names), values.number("touch_threads"),
          values.number("bytes")};
}

// Of all threads.
std::uint64_t page_faults() {
  rusage usage{};
  (void)getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_minflt + usage.ru_majflt);
}

// Memory that is registered is new in every sample. What cudaHostAlloc does with memory that was
// freed before is its own affair, and a part of what it costs. Freeing it includes giving the pages
// back to the system; unregistering does not.
class Pinning final : public Measurement {
 public:
  explicit Pinning(const Case& parsed) : case_(parsed) {
    if (parsed.touch_threads > 0) {
      toucher_.emplace(parsed.touch_threads);
    }
  }

  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return Figure::total; }
  // A sample of hundreds of megabytes takes half a second.
  std::size_t least_samples() const override {
    constexpr std::size_t large = std::size_t{128} << 20U;
    return case_.bytes > large ? 3 : 5;
  }

  // New memory is zero, so the mark is not.
  void prepare(std::uint64_t seed) override { mark_ = Verifier::constant(seed) | std::byte{1}; }

  void sample(std::span<Nanoseconds> durations) override {
    durations[Figure::touch] = Nanoseconds{0};
    if (case_.api == PinningApi::host_alloc) {
      pin_and_unpin(durations, [this] { return PinnedRange::allocated(case_.bytes); });
    } else {
      const UntouchedMemory memory(case_.bytes, case_.memory == MemoryKind::pageable_thp);
      if (toucher_) {
        const std::uint64_t before = page_faults();
        durations[Figure::touch] = toucher_->touch(memory.bytes(), mark_);
        touch_faults_ += page_faults() - before;
      }
      pin_and_unpin(durations, [&] { return PinnedRange::registered(memory.bytes()); });
      require_unpinned(memory.bytes());
      require_untouched_since(memory.bytes());
    }
    durations[Figure::total] =
        durations[Figure::touch] + durations[Figure::pin] + durations[Figure::unpin];
    ++samples_;
  }

  // Each sample has looked at its own memory, which is no more.
  void verify() override {}

  Findings conclude(std::span<const Summary> summaries) const override {
    const std::size_t pages = (case_.bytes + PageToucher::page - 1) / PageToucher::page;
    const auto per_page = [&](Figure figure) {
      return static_cast<double>(summaries[figure].median.count()) / static_cast<double>(pages);
    };
    Findings findings{"",
                      {{"ns_per_page", per_page(Figure::total)},
                       {"pin_ns_per_page", per_page(Figure::pin)},
                       {"unpin_ns_per_page", per_page(Figure::unpin)}}};
    if (toucher_) {
      findings.counters["touch_ns_per_page"] = per_page(Figure::touch);
      findings.counters["page_faults"] =
          static_cast<double>(touch_faults_) / static_cast<double>(samples_);
    }
    return findings;
  }

 private:
  template <typename Pin>
  void pin_and_unpin(std::span<Nanoseconds> durations, const Pin& pin_memory) {
    const TimePoint begin = now();
    PinnedRange pinned = pin_memory();
    durations[Figure::pin] = now() - begin;
    if (!is_pinned({pinned.data(), case_.bytes})) {
      throw VerificationError("CUDA does not know the memory as pinned");
    }
    durations[Figure::unpin] = duration_of([&] { pinned.give_back(); });
  }

  static void require_unpinned(std::span<const std::byte> memory) {
    if (is_pinned(memory)) {
      throw VerificationError("CUDA knows the memory as pinned after it was unpinned");
    }
  }

  // Every page holds the mark of its toucher, or the zero of new memory.
  void require_untouched_since(std::span<const std::byte> memory) const {
    const std::byte expected = toucher_ ? mark_ : std::byte{0};
    for (std::size_t at = 0; at < memory.size(); at += PageToucher::page) {
      if (memory[at] != expected) {
        throw VerificationError("byte " + std::to_string(at) + " of the memory has changed");
      }
    }
  }

  Case case_;
  std::optional<PageToucher> toucher_;
  std::byte mark_{};
  // Over all samples.
  std::uint64_t touch_faults_ = 0;
  std::size_t samples_ = 0;
};

MemoryNeeds memory_needs(const AxisValues& values) {
  const Case parsed = parse(values);
  return {{parsed.memory, parsed.bytes}};
}

std::optional<std::string> refuse(const AxisValues& values) {
  constexpr std::size_t most_threads = 1024;
  const Case parsed = parse(values);
  if (parsed.bytes == 0) {
    return "bytes: 0 is no memory to pin";
  }
  if (parsed.api == PinningApi::host_alloc && parsed.touch_threads > 0) {
    return "touch_threads: nobody can touch memory that is yet to be allocated";
  }
  if (parsed.touch_threads > most_threads) {
    return "touch_threads: must be 0 to " + std::to_string(most_threads);
  }
  return std::nullopt;
}

// Threads that take turns on a processor would show the scheduler.
std::optional<std::string> lacks(const AxisValues& values, const Device& /*device*/) {
  const std::size_t threads = parse(values).touch_threads;
  return threads > cpu_count() ? std::optional("needs " + std::to_string(threads) + " processors")
                               : std::nullopt;
}

}  // namespace

Family pinning_family() {
  return {"pinning",
          pinning_sweeps(),
          [](const AxisValues& values, Fixtures& /*fixtures*/) -> std::unique_ptr<Measurement> {
            return std::make_unique<Pinning>(parse(values));
          },
          memory_needs,
          refuse,
          lacks};
}

}  // namespace copybench
