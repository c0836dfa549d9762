// SPDX-License-Identifier: Apache-2.0
// What does a call that only enqueues cost when many threads make it at once? A gate holds another
// stream all the while, in every case: the poller asks about an event behind it, and the cases
// without a poller are to differ from those with one by nothing else.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/enqueuer.hpp"
#include "benchmarks/event_poller.hpp"
#include "benchmarks/families.hpp"
#include "common/measurement/quiet_cpu.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""s;

enum Figure : std::size_t { call, round };
constexpr std::array<std::string_view, 2> figure_names{"call", "round"};

/// One more thread may ask all the time whether work in another stream is done, which it is not.
enum class Poller { none, event_query };
constexpr std::array<std::string_view, 2> poller_names{"none", "event_query"};

// Far longer than a round, and shorter than the gate's own patience: what waits for the gate after
// all waits no longer than this.
constexpr Nanoseconds longest_hold = 5s;

// The buffers of two threads share no page.
constexpr std::size_t stride = 2 * Enqueuer::copy_bytes;
static_assert(Enqueuer::copy_bytes + canary_bytes <= stride);

struct Case {
  std::size_t threads;
  EnqueuedApi api;
  Poller poller;

  // The poller has one as well. The thread that opens the gate has none of its own: it takes its
  // turn beside one of many.
  [[nodiscard]] std::size_t processors() const {
    return threads + (poller == Poller::none ? 0 : 1);
  }
};

Case parse(const AxisValues& values) {
  return {values.number("threads"), parse_axis<EnqueuedApi>(values, "api", enqueued_api_names),
          parse_axis<Poller>(values, "poller", poller_names)};
}

class EnqueueThreads final : public Measurement {
 public:
  EnqueueThreads(const Case& parsed, Fixtures& fixtures)
      : case_(parsed),
        held_stream_(fixtures.other_stream(StreamKind::nonblocking)),
        gate_(fixtures.gate()),
        verifier_(fixtures.verifier()) {
    const std::size_t bytes = parsed.threads * stride;
    const Region source = fixtures.region(MemoryKind::pinned, Role::source, bytes);
    const Region destination = fixtures.region(MemoryKind::device, Role::destination, bytes);
    const auto part = [](const Region& whole, std::size_t i) {
      return Region{whole.kind, whole.data + i * stride, Enqueuer::copy_bytes};
    };
    for (std::size_t i = 0; i < parsed.threads; ++i) {
      enqueuers_.emplace_back(parsed.api, part(source, i), part(destination, i));
    }
    if (parsed.poller != Poller::none) {
      poller_ = std::make_unique<EventPoller>(held_stream_);
    }
  }

  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return Figure::call; }
  // Each is a median of hundreds of calls by itself.
  std::size_t most_samples() const override { return 100; }

  void prepare(std::uint64_t seed) override {
    seed_ = seed;
    for (std::size_t i = 0; i < enqueuers_.size(); ++i) {
      enqueuers_[i].prepare(verifier_, seed_of(i));
    }
  }

  void sample(std::span<Nanoseconds> durations) override {
    const OpenOnExit guard(gate_);
    gate_.close(held_stream_);
    gate_.start_hold(longest_hold);
    if (poller_) {
      poller_->start();
    }
    std::atomic<std::size_t> arrived = 0;
    for (Enqueuer& enqueuer : enqueuers_) {
      enqueuer.start(arrived, enqueuers_.size());
    }
    join_all();
    if (poller_) {
      poller_->stop();
    }
    (void)gate_.open();
    held_stream_.sync();
    gate_.require_opened_by_host();
    // Not by each thread for itself: streams may share a channel with the gate's.
    for (const Enqueuer& enqueuer : enqueuers_) {
      enqueuer.sync();
    }
    report(durations);
  }

  void verify() override {
    for (std::size_t i = 0; i < enqueuers_.size(); ++i) {
      enqueuers_[i].verify(verifier_, seed_of(i));
    }
  }

  Findings conclude(std::span<const Summary> summaries) const override {
    const double seconds = std::chrono::duration<double>(summaries[Figure::round].median).count();
    const Summary all = summarize(calls_);
    Findings findings{
        "",
        {{"calls_per_second", static_cast<double>(case_.threads * Enqueuer::calls) / seconds},
         {"call_max_ns", static_cast<double>(all.max.count())}}};
    if (all.p99) {
      findings.counters["call_p99_ns"] = static_cast<double>(all.p99->count());
    }
    if (poller_) {
      findings.counters["polls_per_round"] =
          static_cast<double>(poller_->polls()) / static_cast<double>(rounds_);
    }
    return findings;
  }

 private:
  // What one thread copied must not pass for the copy of another.
  [[nodiscard]] std::uint64_t seed_of(std::size_t thread) const {
    constexpr std::uint64_t step = 0x0101010101010101U;
    return seed_ + step * (thread + 1);
  }

  // All of them, before the first failure is passed on: their barrier is the caller's.
  void join_all() {
    std::exception_ptr failure;
    for (Enqueuer& enqueuer : enqueuers_) {
      try {
        enqueuer.join();
      } catch (...) {
        failure = std::current_exception();
      }
    }
    if (failure) {
      std::rethrow_exception(failure);
    }
  }

  void report(std::span<Nanoseconds> durations) {
    std::vector<Nanoseconds> calls;
    TimePoint begin = TimePoint::max();
    TimePoint end = TimePoint::min();
    for (const Enqueuer& enqueuer : enqueuers_) {
      calls.insert(calls.end(), enqueuer.durations().begin(), enqueuer.durations().end());
      begin = std::min(begin, enqueuer.begin());
      end = std::max(end, enqueuer.end());
    }
    calls_.insert(calls_.end(), calls.begin(), calls.end());
    durations[Figure::call] = summarize(calls).median;
    durations[Figure::round] = end - begin;
    ++rounds_;
  }

  Case case_;
  StreamView held_stream_;
  Gate& gate_;
  Verifier& verifier_;
  std::uint64_t seed_ = 0;
  // Over all rounds.
  std::vector<Nanoseconds> calls_;
  std::size_t rounds_ = 0;
  std::deque<Enqueuer> enqueuers_;
  std::unique_ptr<EventPoller> poller_;
};

MemoryNeeds memory_needs(const AxisValues& values) {
  const std::size_t bytes = parse(values).threads * stride;
  return {{MemoryKind::pinned, bytes}, {MemoryKind::device, bytes}};
}

std::optional<std::string> refuse(const AxisValues& values) {
  constexpr std::size_t most_threads = 1024;
  const std::size_t threads = parse(values).threads;
  return threads > 0 && threads <= most_threads
             ? std::nullopt
             : std::optional<std::string>("threads: must be 1 to " + std::to_string(most_threads));
}

std::optional<std::string> lacks(const AxisValues& values, const Device& device) {
  const Case parsed = parse(values);
  if (auto lacking = lacks_copy_api(copy_api(parsed.api), device.driver_version)) {
    return lacking;
  }
  // Threads that take turns on a processor would show the scheduler.
  if (parsed.processors() > cpu_count()) {
    return "needs " + std::to_string(parsed.processors()) + " processors";
  }
  return std::nullopt;
}

}  // namespace

Family enqueue_threads_family() {
  return {"enqueue_threads",
          {{"What does enqueueing cost when many threads do it at once, beside a held stream?",
            {{"threads", {"1", "2", "4", "8", "16"}, {"1"}},
             {"api", {"memcpy_async", "memcpy_batch_stream", "event_create"}, {"memcpy_async"}},
             {"poller", {"none"}}}},
           {"Does a thread that polls an event slow down the others?",
            {{"threads", {"1", "2", "4", "8", "16"}},
             {"api", {"memcpy_async", "memcpy_batch_stream", "event_create"}},
             {"poller", {"event_query"}}},
            false}},
          [](const AxisValues& values, Fixtures& fixtures) -> std::unique_ptr<Measurement> {
            return std::make_unique<EnqueueThreads>(parse(values), fixtures);
          },
          memory_needs,
          refuse,
          lacks};
}

}  // namespace copybench
