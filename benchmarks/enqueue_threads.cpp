// SPDX-License-Identifier: Apache-2.0
// What does a call that only enqueues cost when many threads make it at once?
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/families.hpp"
#include "common/cuda/copy_api.hpp"
#include "common/cuda/event.hpp"
#include "common/measurement/helper_thread.hpp"
#include "common/measurement/quiet_cpu.hpp"
#include "common/suite/fixtures.hpp"
#include "common/suite/parse.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""s;

enum Figure : std::size_t { call, round };
constexpr std::array<std::string_view, 2> figure_names{"call", "round"};

/// An event that is made, recorded and destroyed takes the place of a copy: what an allocator does
/// that remembers the use of its blocks.
enum class Api { memcpy_async, memcpy_batch_stream, event_create };
constexpr std::array<std::string_view, 3> api_names{"memcpy_async", "memcpy_batch_stream",
                                                    "event_create"};
/// One more thread may ask all the time whether work in another stream is done, which it is not.
enum class Poller { none, event_query };
constexpr std::array<std::string_view, 2> poller_names{"none", "event_query"};

// All of them find room in the queue of a stream.
constexpr std::size_t calls_per_thread = 200;
constexpr std::size_t copy_bytes = std::size_t{4} << 10U;
// The buffers of two threads share no page.
constexpr std::size_t stride = 2 * copy_bytes;
static_assert(copy_bytes + canary_bytes <= stride);

// Far longer than a round, and shorter than the gate's own patience: should calls wait for the
// gate after all, they wait no longer than this.
constexpr Nanoseconds longest_hold = 5s;

struct Case {
  std::size_t threads;
  Api api;
  Poller poller;

  [[nodiscard]] bool copies() const { return api != Api::event_create; }
  [[nodiscard]] CopyApi copy_api() const {
    return api == Api::memcpy_batch_stream ? CopyApi::memcpy_batch_stream : CopyApi::memcpy_async;
  }
  // The poller, and the thread that opens its gate, have one each.
  [[nodiscard]] std::size_t processors() const {
    return threads + (poller == Poller::none ? 0 : 2);
  }
};

Case parse(const AxisValues& values) {
  return {values.number("threads"), parse_axis<Api>(values, "api", api_names),
          parse_axis<Poller>(values, "poller", poller_names)};
}

/// One of the threads, with a stream and memory of its own.
class Enqueuer {
 public:
  Enqueuer(const Case& parsed, const Region& source, const Region& destination)
      : source_(source),
        destination_(destination),
        copy_(parsed.copy_api(), destination.data, source.data, source.bytes, Direction::h2d,
              stream_),
        copies_(parsed.copies()),
        calls_(calls_per_thread) {}

  void prepare(Verifier& verifier, std::uint64_t seed) {
    verifier.fill(source_, seed);
    verifier.poison(destination_);
  }
  void verify(Verifier& verifier, std::uint64_t seed) {
    if (copies_) {
      verifier.verify(destination_, seed);
    }
  }

  /// The calls begin when as many threads as `expected` have come.
  void start(std::atomic<std::size_t>& arrived, std::size_t expected) {
    thread_.start([this, &arrived, expected] {
      use_all_cpus();
      ++arrived;
      while (arrived < expected) {
      }
      begin_ = now();
      enqueue();
      end_ = now();
    });
  }
  void join() { thread_.join_job(); }
  void sync() const { stream_.sync(); }

  [[nodiscard]] std::span<const Nanoseconds> calls() const { return calls_; }
  [[nodiscard]] TimePoint begin() const { return begin_; }
  [[nodiscard]] TimePoint end() const { return end_; }

 private:
  void enqueue() {
    for (Nanoseconds& duration : calls_) {
      const TimePoint before = now();
      if (copies_) {
        copy_();
      } else {
        Event event;
        event.record(stream_);
      }
      duration = now() - before;
    }
  }

  Region source_;
  Region destination_;
  Stream stream_{StreamKind::nonblocking};
  PreparedCopy copy_;
  bool copies_;
  std::vector<Nanoseconds> calls_;
  TimePoint begin_;
  TimePoint end_;
  // The last member: its job uses the others.
  HelperThread thread_;
};

class EnqueueThreads final : public Measurement {
 public:
  EnqueueThreads(const Case& parsed, Fixtures& fixtures)
      : case_(parsed),
        gated_(fixtures.other_stream(StreamKind::nonblocking)),
        gate_(fixtures.gate()),
        verifier_(fixtures.verifier()) {
    const std::size_t bytes = parsed.threads * stride;
    const Region source = fixtures.region(MemoryKind::pinned, Role::source, bytes);
    const Region destination = fixtures.region(MemoryKind::device, Role::destination, bytes);
    const auto part = [](const Region& whole, std::size_t i) {
      return Region{whole.kind, whole.data + i * stride, copy_bytes};
    };
    for (std::size_t i = 0; i < parsed.threads; ++i) {
      enqueuers_.emplace_back(parsed, part(source, i), part(destination, i));
    }
    if (parsed.poller != Poller::none) {
      poller_.emplace();
    }
  }

  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return Figure::call; }

  void prepare(std::uint64_t seed) override {
    seed_ = seed;
    for (std::size_t i = 0; i < enqueuers_.size(); ++i) {
      enqueuers_[i].prepare(verifier_, seed_of(i));
    }
  }

  void sample(std::span<Nanoseconds> durations) override {
    const OpenOnExit guard(gate_);
    begin_polling();
    const PollUntilExit polling(keep_polling_);
    std::atomic<std::size_t> arrived = 0;
    for (Enqueuer& enqueuer : enqueuers_) {
      enqueuer.start(arrived, enqueuers_.size());
    }
    join_all();
    end_polling();
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
        {{"calls_per_second", static_cast<double>(case_.threads * calls_per_thread) / seconds},
         {"call_max_ns", static_cast<double>(all.max.count())}}};
    if (all.p99) {
      findings.counters["call_p99_ns"] = static_cast<double>(all.p99->count());
    }
    if (poller_) {
      findings.counters["polls_per_round"] =
          static_cast<double>(polls_) / static_cast<double>(rounds_);
    }
    return findings;
  }

 private:
  // A poller that nobody stops would be waited for without end.
  class PollUntilExit {
   public:
    explicit PollUntilExit(std::atomic<bool>& keep_polling) : keep_polling_(keep_polling) {}
    ~PollUntilExit() { keep_polling_ = false; }
    PollUntilExit(const PollUntilExit&) = delete;
    PollUntilExit& operator=(const PollUntilExit&) = delete;
    PollUntilExit(PollUntilExit&&) = delete;
    PollUntilExit& operator=(PollUntilExit&&) = delete;

   private:
    std::atomic<bool>& keep_polling_;
  };

  // What one thread copied must not pass for the copy of another.
  [[nodiscard]] std::uint64_t seed_of(std::size_t thread) const {
    constexpr std::uint64_t step = 0x0101010101010101U;
    return seed_ + step * (thread + 1);
  }

  void begin_polling() {
    if (!poller_) {
      return;
    }
    gate_.close(gated_);
    pending_.record(gated_);
    gate_.start_hold(longest_hold);
    keep_polling_ = true;
    poller_->start([this] {
      while (keep_polling_) {
        (void)pending_.is_done();
        ++polls_;
      }
    });
  }

  void end_polling() {
    if (!poller_) {
      return;
    }
    keep_polling_ = false;
    poller_->join_job();
    (void)gate_.open();
    gated_.sync();
    gate_.require_opened_by_host();
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
      calls.insert(calls.end(), enqueuer.calls().begin(), enqueuer.calls().end());
      begin = std::min(begin, enqueuer.begin());
      end = std::max(end, enqueuer.end());
    }
    calls_.insert(calls_.end(), calls.begin(), calls.end());
    durations[Figure::call] = summarize(calls).median;
    durations[Figure::round] = end - begin;
    ++rounds_;
  }

  Case case_;
  StreamView gated_;
  Gate& gate_;
  Verifier& verifier_;
  Event pending_;
  std::uint64_t seed_ = 0;
  // Over all rounds.
  std::vector<Nanoseconds> calls_;
  std::size_t rounds_ = 0;
  std::size_t polls_ = 0;
  std::atomic<bool> keep_polling_ = false;
  std::deque<Enqueuer> enqueuers_;
  // The last member: its job uses the others.
  std::optional<HelperThread> poller_;
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
  if (!has_copy_api(parsed.copy_api(), device.driver_version)) {
    return "needs CUDA 12.8, which the toolkit or the driver lacks";
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
          {{"What does enqueueing cost when many threads do it at once?",
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
