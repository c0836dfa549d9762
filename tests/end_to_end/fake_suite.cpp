// SPDX-License-Identifier: Apache-2.0
// A suite without a GPU behind it, for the tests of the process around the cases: every way in
// which a case can go well or wrong, under the same run_suite() as the real one.
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <utility>

#include <cuda_runtime_api.h>

#include "common/cuda/check.hpp"
#include "common/measurement/call_spans.hpp"
#include "common/measurement/verification.hpp"
#include "common/run/run_suite.hpp"
#include "common/suite/parse.hpp"
#include "common/timeline/activity.hpp"
#include "tests/end_to_end/fake_process.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

enum class Behaviour {
  ok,
  slow,
  wrong_first,
  wrong_third,
  cuda_error_first,
  odd_exception_third,
  infinite_counter,
  hang,
  hang_third,
  lost_context,
  lost_context_third
};
constexpr std::array<std::string_view, 11> behaviour_names{"ok",
                                                           "slow",
                                                           "wrong_first",
                                                           "wrong_third",
                                                           "cuda_error_first",
                                                           "odd_exception_third",
                                                           "infinite_counter",
                                                           "hang",
                                                           "hang_third",
                                                           "lost_context",
                                                           "lost_context_third"};
constexpr std::array<std::string_view, 2> figure_names{"blocked", "completion"};

bool context_was_lost = false;

// `entries` counts the objects that were put to use: 0 for the warm-up, and n for the n-th
// repetition.
class FakeMeasurement : public Measurement {
 public:
  FakeMeasurement(Behaviour behaviour, std::size_t samples, std::size_t& entries)
      : behaviour_(behaviour), most_samples_(samples), entries_(entries) {}

  std::span<const std::string_view> figures() const override { return figure_names; }
  std::size_t tracked() const override { return 0; }
  std::size_t most_samples() const override { return most_samples_; }

  void prepare(std::uint64_t /*seed*/) override {
    taken_ = 0;
    if (!entry_) {
      entry_ = entries_++;
    }
  }

  // 1000 ns, 2000 ns, ... in each batch, so that every percentile is known.
  void sample(std::span<Nanoseconds> durations) override {
    ++taken_;
    {
      const ObservedCall observed;
    }
    durations[0] = Nanoseconds(1000) * taken_;
    durations[1] = Nanoseconds(3000) * taken_;
    misbehave();
  }

  void verify() override {
    if (is(Behaviour::wrong_first, 1) || is(Behaviour::wrong_third, 3)) {
      throw VerificationError("copied data: 1 wrong bytes, the first at byte 7");
    }
  }

  Findings conclude(std::span<const Summary> summaries) const override {
    const double odd = behaviour_ == Behaviour::infinite_counter ? 1.0 / 0.0 : 0.0;
    return {"async",
            {{"always_zero", odd}, {"samples_seen", static_cast<double>(summaries[0].samples)}}};
  }

 protected:
  [[nodiscard]] std::size_t entry() const { return entry_.value_or(0); }

 private:
  [[nodiscard]] bool is(Behaviour behaviour, std::size_t entry) const {
    return behaviour_ == behaviour && entry_ == entry;
  }

  void misbehave() const {
    if (behaviour_ == Behaviour::slow) {
      std::this_thread::sleep_for(20ms);
    }
    if (is(Behaviour::cuda_error_first, 0)) {
      check(cudaErrorInvalidValue, "cudaMemcpyAsync");
    }
    if (is(Behaviour::odd_exception_third, 3)) {
      throw std::string("not an exception");
    }
    while (is(Behaviour::hang, 1) || is(Behaviour::hang_third, 3)) {
      std::this_thread::sleep_for(1s);
    }
    if (is(Behaviour::lost_context, 1) || is(Behaviour::lost_context_third, 3)) {
      context_was_lost = true;
      throw std::runtime_error("cudaMemcpyAsync: an illegal\n\"address\"");
    }
  }

  Behaviour behaviour_;
  std::size_t most_samples_;
  std::size_t& entries_;
  std::optional<std::size_t> entry_;
  int taken_ = 0;
};

// Its verdict follows from its place on the axes, and for one case from the repetition as well.
class FakeVerdict final : public FakeMeasurement {
 public:
  FakeVerdict(AxisValues values, std::size_t& entries)
      : FakeMeasurement(Behaviour::ok, 3, entries), values_(std::move(values)) {}

  Findings conclude(std::span<const Summary> /*summaries*/) const override {
    const std::size_t bytes = values_.number("bytes");
    if (values_.at("mem") == "pinned" || bytes < 65536) {
      return {"async", {}};
    }
    if (values_.at("queue") == "idle") {
      return {"waits_for_copy", {}};
    }
    const bool waits = bytes > 1048576 || (bytes == 1048576 && entry() % 2 != 0);
    return {waits ? "waits_for_queue" : "async", {}};
  }

 private:
  AxisValues values_;
};

// The families' own make() would need fixtures, and those a GPU.
std::unique_ptr<Measurement> make_fake(const Family& family, const AxisValues& values) {
  static std::map<std::string, std::size_t> entries;
  if (family.name == fake_process_name) {
    return make_fake_process(values);
  }
  std::size_t& count = entries[values.name()];
  if (family.name == "fake_verdict") {
    return std::make_unique<FakeVerdict>(values, count);
  }
  if (family.name != "fake") {
    return std::make_unique<FakeMeasurement>(Behaviour::ok, 3, count);
  }
  return std::make_unique<FakeMeasurement>(
      parse_axis<Behaviour>(values, "behaviour", behaviour_names), values.number("samples"), count);
}

std::vector<Family> fake_families() {
  const std::vector<std::string> bad(behaviour_names.begin() + 1, behaviour_names.end());
  return {{"fake",
           {{"What do percentiles look like?",
             {{"behaviour", {"ok"}}, {"samples", {"9", "10", "99", "100"}, {"10"}}}},
            {"What does the process do about it?", {{"behaviour", bad}, {"samples", {"5"}}}, false},
            {"A case that another sweep has too", {{"behaviour", {"ok"}}, {"samples", {"10"}}}}},
           {},
           {}},
          {"fake_large",
           {{"What does not fit?",
             {{"mem", {"pageable", "managed", "device"}},
              {"bytes", {"1048576", "2147483648", "1099511627776"}}}}},
           {},
           [](const AxisValues& values) -> MemoryNeeds {
             return {{parse_axis<MemoryKind>(values, "mem", memory_kind_names),
                      values.number("bytes")}};
           }},
          {"fake_verdict",
           {{"From which size does what wait?",
             {{"dir", {"h2d"}},
              {"mem", {"pageable", "pinned"}},
              {"queue", {"idle", "busy"}},
              {"bytes", {"1048576", "4", "65536", "2097152"}}}}},
           {},
           {}},
          {"fake_picky",
           {{"Which numbers make sense?", {{"elements", {"1", "2"}}}}},
           {},
           {},
           [](const AxisValues& values) -> std::optional<std::string> {
             if (values.number("elements") > 4) {
               return "elements: expected at most 4";
             }
             return std::nullopt;
           }},
          fake_process_family()};
}

// Stands in for CUPTI as COPYBENCH_FAKE_CUPTI says: each call of a batch took 7 ns longer than the
// one before.
class FakeSpans final : public CallSpans {
 public:
  explicit FakeSpans(std::string_view behaviour) : behaviour_(behaviour) {
    if (behaviour_ == "refused") {
      throw std::runtime_error("cuptiSubscribe: CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED");
    }
    if (behaviour_ == "hanging") {
      std::this_thread::sleep_for(20s);
    }
  }

  void begin_call() noexcept override { ++taken_.calls; }
  void end_call() noexcept override {
    const bool is_lost = behaviour_ == "silent" || (behaviour_ == "lossy" && taken_.calls == 1);
    if (!is_lost) {
      taken_.spans.emplace_back(7 * taken_.calls);
    }
  }
  Taken take() override { return std::exchange(taken_, {}); }

 private:
  std::string behaviour_;
  Taken taken_;
};

void fake_cupti() {
  // In a build with CUPTI there is one, which would look for a GPU.
  make_call_spans = nullptr;
  if (std::getenv("COPYBENCH_FAKE_CUPTI") != nullptr) {
    make_call_spans = [](SpanSource /*source*/) -> std::unique_ptr<CallSpans> {
      return std::make_unique<FakeSpans>(std::getenv("COPYBENCH_FAKE_CUPTI"));
    };
  }
}

// Stands in for whoever records, as COPYBENCH_FAKE_TIMELINE says: its clock goes on by a
// millisecond each time it is read, and the last sample lasted from the last reading but one to the
// last.
class FakeRecorder final : public ActivityRecorder {
 public:
  Nanoseconds time() noexcept override { return time_ += 1ms; }

  std::vector<Activity> take() override {
    if (std::string_view(std::getenv("COPYBENCH_FAKE_TIMELINE")) == "refused") {
      throw std::runtime_error("cuptiActivityFlushAll: CUPTI_ERROR_UNKNOWN");
    }
    const auto thread = static_cast<std::uint64_t>(gettid());
    const auto at = [this](int us) { return time_ - 1ms + std::chrono::microseconds(us); };
    return {{ActivityKind::kernel, "over the end", 8, at(990), at(1500), 3, 0},
            {ActivityKind::copy, "long before", 9, at(-400), at(-300), 0, 4},
            {ActivityKind::call, "cudaStreamSynchronize", thread, at(200), at(950), 2, 0},
            {ActivityKind::call, "cudaLaunchKernel", thread, at(100), at(110), 1, 0},
            {ActivityKind::call, "cudaMemcpyAsync", thread + 1, at(120), at(130), 4, 0},
            {ActivityKind::copy, "copy to host", 8, at(300), at(500), 4, 4096},
            {ActivityKind::kernel, "scale<\"a\" & 'b'>\t\xff", 7, at(150), at(900), 1, 0}};
  }

 private:
  Nanoseconds time_{};
};

void fake_recorder() {
  make_activity_recorder = nullptr;
  if (std::getenv("COPYBENCH_FAKE_TIMELINE") != nullptr) {
    make_activity_recorder = []() -> std::unique_ptr<ActivityRecorder> {
      return std::make_unique<FakeRecorder>();
    };
  }
}

Device start_fake_device(int ordinal) {
  const char* state = std::getenv("COPYBENCH_FAKE_DEVICE");
  if (state != nullptr && std::string_view(state) == "none") {
    throw NoUsableDevice(describe_missing_device(cudaErrorInsufficientDriver, 0, 13000));
  }
  if (state != nullptr && std::string_view(state) == "slow") {
    std::this_thread::sleep_for(10s);
  }
  if (ordinal != 0) {
    throw NoSuchDevice("there is no such device; there is only 0");
  }
  return {ordinal, std::size_t{8} << 30U};
}

Facts describe_fake(const EnvironmentInputs& inputs) {
  Facts facts;
  add_fact(facts, "gpu_name", "fake");
  add_fact(facts, "profile", inputs.profile);
  add_fact(facts, "command_line", inputs.command_line);
  return facts;
}

SuiteHooks fake_hooks() {
  return {.start_device = start_fake_device,
          .describe_environment = describe_fake,
          .free_host_memory = [] { return std::size_t{16} << 30U; },
          .make_measurement = make_fake,
          .context_is_lost = [] { return context_was_lost; }};
}

}  // namespace
}  // namespace copybench

int main(int argc, char** argv) {
  copybench::fake_cupti();
  copybench::fake_recorder();
  return copybench::run_suite(argc, argv, copybench::fake_families(), copybench::fake_hooks());
}
