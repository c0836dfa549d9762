// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <ostream>

#include "common/cuda/event.hpp"
#include "common/kernels.hpp"
#include "tests/contract/contract.hpp"

namespace copybench {
namespace {

struct OrderCase {
  const char* name;
  StreamKind first;
  StreamKind second;
  bool is_held;
  bool is_promised;
  const char* documented;
};
std::ostream& operator<<(std::ostream& out, const OrderCase& tested) { return out << tested.name; }

constexpr const char* implicit = "the legacy stream and blocking streams wait for each other";
constexpr const char* separate = "a non-blocking stream does not synchronise with the legacy one";
constexpr const char* free_to = "such streams may run at the same time";
constexpr std::array order_cases{
    OrderCase{"LegacyThenBlocking", StreamKind::legacy, StreamKind::blocking, true, true, implicit},
    OrderCase{"BlockingThenLegacy", StreamKind::blocking, StreamKind::legacy, true, true, implicit},
    OrderCase{"LegacyThenPerThread", StreamKind::legacy, StreamKind::per_thread, true, true,
              implicit},
    OrderCase{"PerThreadThenLegacy", StreamKind::per_thread, StreamKind::legacy, true, true,
              implicit},
    OrderCase{"LegacyThenNonblocking", StreamKind::legacy, StreamKind::nonblocking, false, true,
              separate},
    OrderCase{"NonblockingThenLegacy", StreamKind::nonblocking, StreamKind::legacy, false, true,
              separate},
    OrderCase{"BlockingThenBlocking", StreamKind::blocking, StreamKind::blocking, false, false,
              free_to},
    OrderCase{"PerThreadThenBlocking", StreamKind::per_thread, StreamKind::blocking, false, false,
              free_to},
    OrderCase{"NonblockingThenNonblocking", StreamKind::nonblocking, StreamKind::nonblocking, false,
              false, free_to},
};

class StreamOrder : public Contract, public testing::WithParamInterface<OrderCase> {};

TEST_P(StreamOrder, ASecondStreamBehindAClosedGate) {
  const auto& tested = GetParam();
  documented(tested.documented);
  const Stream first(tested.first);
  const Stream second(tested.second);
  Event done;
  gate_.close(first);
  const OpenOnExit guard(gate_);
  launch_timed_gate(second, 1000);
  done.record(second);
  const bool held = !happens_within(hold, [&] { return done.is_done(); });
  (void)gate_.open();
  first.sync();
  second.sync();
  gate_.require_opened_by_host();
  if (tested.is_promised) {
    EXPECT_EQ(held, tested.is_held);
  }
  observed(held ? "waited for the first stream" : "ran at once");
}

INSTANTIATE_TEST_SUITE_P(Streams, StreamOrder, testing::ValuesIn(order_cases),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace copybench
