// SPDX-License-Identifier: Apache-2.0
// How long does the calling thread sit inside a copy, and what makes it wait?
#include <algorithm>
#include <array>
#include <chrono>

#include "benchmarks/families.hpp"
#include "common/cuda/copy.hpp"
#include "common/measurement/verdict.hpp"
#include "common/measurement/weyl.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;

enum class Queue { idle, busy };
constexpr std::array<std::string_view, 2> queue_names{"idle", "busy"};

enum Figure : std::size_t { blocked, completion, blocked_after_opening, completion_after_opening };
// The last two exist behind a gate only: the part of the first two that is not the hold.
constexpr std::array<std::string_view, 4> figure_names{
    "blocked", "completion", "blocked_after_opening", "completion_after_opening"};
constexpr std::size_t idle_figures = 2;

struct Case {
  Direction direction;
  MemoryKind memory;
  StreamKind stream;
  Queue queue;
  std::size_t bytes;
};

Case parse(const AxisValues& values) {
  return {parse_axis<Direction>(values, "dir", direction_names),
          parse_axis<MemoryKind>(values, "mem", memory_kind_names),
          parse_axis<StreamKind>(values, "stream", stream_kind_names),
          parse_axis<Queue>(values, "queue", queue_names), values.number("bytes")};
}

MemoryNeeds memory_needs(const AxisValues& values) {
  const Case parsed = parse(values);
  return {{parsed.memory, parsed.bytes}, {MemoryKind::device, parsed.bytes}};
}

class HostBlocking final : public Measurement {
 public:
  HostBlocking(const Case& parsed, Fixtures& fixtures)
      : case_(parsed),
        source_(fixtures.region(host_is_source() ? parsed.memory : MemoryKind::device, Role::source,
                                parsed.bytes)),
        destination_(fixtures.region(host_is_source() ? MemoryKind::device : parsed.memory,
                                     Role::destination, parsed.bytes)),
        stream_(fixtures.stream(parsed.stream)),
        gate_(fixtures.gate()),
        verifier_(fixtures.verifier()) {}

  std::span<const std::string_view> figures() const override {
    return std::span(figure_names)
        .first(case_.queue == Queue::idle ? idle_figures : figure_names.size());
  }
  std::size_t tracked() const override { return Figure::blocked; }
  // The call into a large pinned copy is a thousandth of its sample, and the noisiest part.
  std::size_t least_samples() const override { return 15; }

  void prepare(std::uint64_t seed) override {
    seed_ = seed;
    verifier_.fill(source_, seed);
    verifier_.poison(destination_);
    if (case_.queue == Queue::busy && hold_ == Nanoseconds{0}) {
      hold_ = choose_hold();
      verifier_.poison(destination_);
    }
  }

  void sample(std::span<Nanoseconds> durations) override {
    if (case_.queue == Queue::idle) {
      sample_idle(durations);
    } else {
      sample_busy(durations);
    }
    ++samples_;
  }

  void verify() override { verifier_.verify(destination_, seed_); }

  Findings conclude(std::span<const Summary> summaries) const override {
    const bool idle = case_.queue == Queue::idle;
    const Nanoseconds blocked_for = summaries[Figure::blocked].median;
    const Nanoseconds copied_in =
        summaries[idle ? Figure::completion : Figure::completion_after_opening].median;
    const Verdict verdict =
        idle ? judge_idle(blocked_for, copied_in) : judge_busy(returned_after_opening_, samples_);
    Findings findings{std::string(name_of(verdict, verdict_names)), {}};
    findings.counters["bytes_per_second"] =
        static_cast<double>(case_.bytes) / std::chrono::duration<double>(copied_in).count();
    if (!idle) {
      findings.counters["most_hold_ns"] = static_cast<double>(hold_.count());
      findings.counters["waited_for_queue_fraction"] =
          static_cast<double>(returned_after_opening_) / static_cast<double>(samples_);
    }
    return findings;
  }

 private:
  [[nodiscard]] bool host_is_source() const { return case_.direction == Direction::h2d; }

  void call() {
    copy_async(destination_.data, source_.data, case_.bytes, case_.direction, stream_);
  }

  // verify() looks at every byte, but only after the last call of a batch. That each of them had
  // its data by the time it says is seen by the last byte, where the host can see it.
  void spoil_last_byte() {
    if (!host_is_source()) {
      last_byte() = ~weyl_byte(seed_, case_.bytes - 1);
    }
  }
  void require_last_byte() {
    if (!host_is_source() && last_byte() != weyl_byte(seed_, case_.bytes - 1)) {
      throw VerificationError("the last byte had not arrived when the stream was drained");
    }
  }
  [[nodiscard]] std::byte& last_byte() const { return destination_.data[case_.bytes - 1]; }

  void sample_idle(std::span<Nanoseconds> durations) {
    spoil_last_byte();
    const TimePoint begin = now();
    call();
    const TimePoint returned = now();
    stream_.sync();
    const TimePoint usable = now();
    durations[Figure::blocked] = returned - begin;
    durations[Figure::completion] = usable - begin;
    require_last_byte();
  }

  void sample_busy(std::span<Nanoseconds> durations) {
    const OpenOnExit guard(gate_);
    spoil_last_byte();
    gate_.close(stream_);
    gate_.start_hold(hold_);
    const TimePoint begin = now();
    call();
    const TimePoint returned = now();
    const TimePoint opened = gate_.open();
    stream_.sync();
    const TimePoint usable = now();
    gate_.require_opened_by_host();
    returned_after_opening_ += opened < returned ? 1U : 0U;
    durations[Figure::blocked] = returned - begin;
    durations[Figure::completion] = usable - begin;
    durations[Figure::blocked_after_opening] = std::max(Nanoseconds{0}, returned - opened);
    durations[Figure::completion_after_opening] = usable - opened;
    require_last_byte();
  }

  // A call that is merely long must be back before the gate opens, or it would look like one that
  // waits for the gate: the hold is several times what staging takes. It follows from the size, not
  // from a measurement, because it is part of the figure of a call that does wait; only a host that
  // stages far slower than any known gets a longer one.
  [[nodiscard]] Nanoseconds choose_hold() {
    constexpr std::size_t bytes_per_nanosecond = 4;
    Nanoseconds hold = std::max<Nanoseconds>(2ms, Nanoseconds(case_.bytes / bytes_per_nanosecond));
    std::array<Nanoseconds, idle_figures> durations{};
    Nanoseconds shortest = Nanoseconds::max();
    for (int i = 0; i < 3; ++i) {
      sample_idle(durations);
      shortest = std::min(shortest, durations[Figure::blocked]);
    }
    while (2 * hold < 3 * shortest) {
      hold *= 2;
    }
    return hold;
  }

  Case case_;
  Region source_;
  Region destination_;
  StreamView stream_;
  Gate& gate_;
  Verifier& verifier_;
  std::uint64_t seed_ = 0;
  Nanoseconds hold_{0};
  // Over all calls made, those of batches that were taken anew as well.
  std::size_t samples_ = 0;
  std::size_t returned_after_opening_ = 0;
};

}  // namespace

Family host_blocking_family() {
  return {"host_blocking",
          {{"From which size, in which direction, for which memory does cudaMemcpyAsync block, and "
            "does it wait for the copy or for the queue?",
            {{"api", {"memcpy_async"}},
             {"dir", {"h2d", "d2h"}},
             {"mem", {"pageable", "pinned", "registered", "managed"}},
             {"stream", {"nonblocking"}},
             {"queue", {"idle", "busy"}},
             {"bytes",
              {"4", "4096", "65536", "262144", "1048576", "4194304", "16777216", "67108864",
               "268435456"},
              {"4", "65536", "1048576", "16777216"}}}},
           {"Does a pinned copy reach the link?",
            {{"api", {"memcpy_async"}},
             {"dir", {"h2d", "d2h"}},
             {"mem", {"pinned"}},
             {"stream", {"nonblocking"}},
             {"queue", {"idle"}},
             {"bytes", {"268435456"}}}}},
          [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
            return std::make_unique<HostBlocking>(parse(values), fixtures);
          },
          memory_needs};
}

}  // namespace copybench
