// SPDX-License-Identifier: Apache-2.0
// A failure of the work in front of a chain reaches whoever waits for it: nobody calls the host
// function of a worker then, and no kernel writes the size.
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "common/chaining/chain.hpp"
#include "common/cuda/check.hpp"
#include "common/cuda/event.hpp"
#include "common/measurement/gate.hpp"
#include "common/named_enum.hpp"
#include "tests/gpu/chain_memory.hpp"
#include "tests/gpu/trap.hpp"

namespace copybench {
namespace {

struct DoomedChain {
  explicit DoomedChain(ChainStrategy of)
      : strategy(of),
        name(name_of(strategy, chain_strategy_names)),
        chain(make_chain(strategy, stream)) {
    memory.prepare(1000, 7);
  }

  ChainStrategy strategy;
  std::string name;
  ChainMemory memory{4096};
  Stream stream{StreamKind::nonblocking};
  std::unique_ptr<Chain> chain;
  bool failed = false;
};

// A chain of each correct strategy, those last whose start() waits for the size.
std::vector<std::unique_ptr<DoomedChain>> doomed_chains() {
  int driver_version = 0;
  check(cudaDriverGetVersion(&driver_version), "cudaDriverGetVersion");
  std::vector<std::unique_ptr<DoomedChain>> chains;
  for (const bool waits : {false, true}) {
    for (std::size_t i = 0; i < chain_strategy_names.size(); ++i) {
      const auto strategy = static_cast<ChainStrategy>(i);
      if (is_correct(strategy) && waits_in_start(strategy) == waits &&
          !lacks_chain_strategy(strategy, driver_version)) {
        chains.push_back(std::make_unique<DoomedChain>(strategy));
      }
    }
  }
  return chains;
}

bool fails(const std::function<void()>& step) {
  try {
    step();
    return false;
  } catch (const CudaError&) {
    return true;
  }
}

// Starts them behind a kernel that fails once all those are enqueued whose start() does not wait.
void start_and_fail(const std::vector<std::unique_ptr<DoomedChain>>& chains) {
  const Stream producer(StreamKind::nonblocking);
  Event producer_done;
  Gate gate;
  gate.close(producer);
  launch_trap(producer);
  producer_done.record(producer);
  for (const std::unique_ptr<DoomedChain>& doomed : chains) {
    const auto start = [&] {
      wait(doomed->stream, producer_done);
      doomed->chain->start(doomed->memory.request(1000));
    };
    if (!waits_in_start(doomed->strategy)) {
      // Nothing has failed yet.
      start();
      continue;
    }
    (void)gate.open();
    doomed->failed = fails(start);
  }
}

// Both run in a process of their own, which is killed when somebody waits for ever.
[[noreturn]] void fail_and_finish() {
  alarm(60);
  const std::vector<std::unique_ptr<DoomedChain>> chains = doomed_chains();
  start_and_fail(chains);
  int status = 0;
  for (const std::unique_ptr<DoomedChain>& doomed : chains) {
    if (!doomed->failed && !fails([&] { doomed->chain->finish(); })) {
      (void)std::fprintf(stderr, "%s did not throw\n", doomed->name.c_str());
      status = 2;
    }
    doomed->chain.reset();
  }
  _exit(status);
}

[[noreturn]] void fail_and_destroy() {
  alarm(60);
  const std::vector<std::unique_ptr<DoomedChain>> chains = doomed_chains();
  start_and_fail(chains);
  for (const std::unique_ptr<DoomedChain>& doomed : chains) {
    doomed->chain.reset();
  }
  _exit(0);
}

TEST(ChainDeathTest, AFailureOfTheProducerReachesFinish) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(fail_and_finish(), testing::ExitedWithCode(0), "");
}

TEST(ChainDeathTest, AFailureOfTheProducerDoesNotHoldUpTheDestructor) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(fail_and_destroy(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace copybench
