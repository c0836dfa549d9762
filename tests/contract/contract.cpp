// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/contract.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "common/cuda/check.hpp"
#include "tests/gpu/memory_kinds.hpp"

namespace copybench {
namespace {

constexpr std::string_view mark = "contract: ";
constexpr unsigned own_process_limit_s = 20;

/// A matcher that takes everything and keeps it: the only way to what a death test printed.
class Keep : public testing::MatcherInterface<const std::string&> {
 public:
  explicit Keep(std::string& text) : text_(text) {}
  bool MatchAndExplain(const std::string& text,
                       testing::MatchResultListener* /*listener*/) const override {
    text_ = text;
    return true;
  }
  void DescribeTo(std::ostream* out) const override { *out << "anything"; }

 private:
  std::string& text_;
};

[[noreturn]] void report_and_exit(const std::function<std::string()>& body) {
  (void)alarm(own_process_limit_s);
  std::string text(mark);
  try {
    text += body();
  } catch (const std::exception& error) {
    text += std::string("threw ") + error.what();
  }
  (void)std::fprintf(stderr, "\n%s\n", text.c_str());
  _exit(0);
}

std::string describe_end(int status) {
  if (WIFSIGNALED(status)) {
    return WTERMSIG(status) == SIGALRM ? "never returned"
                                       : std::string("killed: ") + strsignal(WTERMSIG(status));
  }
  return "the process ended with a failure";
}

}  // namespace

void documented(std::string_view promise) {
  testing::Test::RecordProperty("documented", std::string(promise));
}

void observed(std::string_view what) {
  testing::Test::RecordProperty("observed", std::string(what));
}

void contradicted() { testing::Test::RecordProperty("contradicted", "yes"); }

std::string describe(const Outcomes& outcomes) {
  const bool all_alike = std::ranges::all_of(
      outcomes, [&](const auto& outcome) { return outcome.second == outcomes.front().second; });
  if (all_alike && !outcomes.empty()) {
    return outcomes.front().second;
  }
  std::string text;
  for (const auto& [variant, outcome] : outcomes) {
    text += (text.empty() ? "" : "; ") + variant + ": " + outcome;
  }
  return text;
}

std::string result_of(cudaError_t code) {
  (void)cudaGetLastError();
  return cudaGetErrorName(code);
}

std::string describe_return(bool returned_first) {
  return returned_first ? "returned before the gate opened" : "waited for the gate";
}

std::string describe_arrival(const Buffer& destination) {
  if (holds(destination, old_byte)) {
    return "the old bytes arrived";
  }
  return holds(destination, new_byte) ? "the new bytes arrived"
                                      : "neither the old nor the new bytes arrived";
}

// Host memory is touched by the host, so that managed pages sit there.
void fill(const Buffer& buffer, std::byte value) {
  if (is_host_accessible(buffer.kind())) {
    std::memset(buffer.data(), std::to_integer<int>(value), buffer.size());
    return;
  }
  const std::vector<std::byte> bytes(buffer.size(), value);
  copy_any(buffer.data(), bytes.data(), bytes.size());
}

bool holds(const Buffer& buffer, std::byte value) {
  const auto is_value = [=](std::byte byte) { return byte == value; };
  if (is_host_accessible(buffer.kind())) {
    return std::all_of(buffer.data(), buffer.data() + buffer.size(), is_value);
  }
  std::vector<std::byte> bytes(buffer.size());
  copy_any(bytes.data(), buffer.data(), bytes.size());
  return std::ranges::all_of(bytes, is_value);
}

std::string in_own_process(const std::function<std::string()>& body) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  // For the new process: loading a kernel when it is launched would wait for a closed gate.
  (void)setenv("CUDA_MODULE_LOADING", "EAGER", 1);
  std::string printed;
  int status = 0;
  const auto keep_status = [&status](int ended) {
    status = ended;
    return true;
  };
  EXPECT_EXIT(report_and_exit(body), keep_status,
              testing::Matcher<const std::string&>(new Keep(printed)));
  const auto begin = printed.rfind(mark);
  if (begin == std::string::npos) {
    const std::string end = describe_end(status);
    ADD_FAILURE() << "the process said nothing: " << end;
    return end;
  }
  const auto text = printed.substr(begin + mark.size());
  return text.substr(0, text.find('\n'));
}

void Contract::TearDown() {
  (void)gate_.open();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "the test left an error behind";
  const auto* const result = testing::UnitTest::GetInstance()->current_test_info()->result();
  std::vector<std::string> keys;
  for (int i = 0; i < result->test_property_count(); ++i) {
    keys.emplace_back(result->GetTestProperty(i).key());
  }
  for (const char* key : {"documented", "observed"}) {
    EXPECT_EQ(std::count(keys.begin(), keys.end(), key), 1) << "the test does not say: " << key;
  }
}

bool Contract::returns_first_once(StreamView gated, const std::function<void()>& call) {
  gate_.close(gated);
  const OpenOnExit guard(gate_);
  gate_.start_hold(hold);
  call();
  const TimePoint returned = now();
  const TimePoint opened_at = gate_.open();
  gated.sync();
  gate_.require_opened_by_host();
  return returned < opened_at;
}

bool Contract::returns_first(StreamView gated, const std::function<void()>& call) {
  return returns_first_once(gated, call) || returns_first_once(gated, call);
}

void Contract::expect_promise(Promise promise, bool returned_first) {
  if (promise != Promise::nothing) {
    EXPECT_EQ(returned_first, promise == Promise::returns_first);
  }
}

bool Contract::has_concurrent_managed_access() {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, cudaDevAttrConcurrentManagedAccess, 0),
        "cudaDeviceGetAttribute");
  return value != 0;
}

bool happens_within(Nanoseconds limit, const std::function<bool()>& condition) {
  const TimePoint end = now() + limit;
  while (!condition()) {
    if (now() > end) {
      return condition();
    }
    std::this_thread::yield();
  }
  return true;
}

}  // namespace copybench
