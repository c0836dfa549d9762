// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <ostream>

#include "common/cuda/check.hpp"
#include "common/cuda/copy.hpp"
#include "tests/contract/contract.hpp"

namespace copybench {
namespace {

struct WaitCase {
  const char* name;
  bool is_async;
  Direction direction;
  MemoryKind host;
  Promise promise;
  const char* documented;
};
std::ostream& operator<<(std::ostream& out, const WaitCase& tested) { return out << tested.name; }

// The asynchronous form goes behind a gate in a non-blocking stream, the other one behind a gate in
// the legacy stream, where it belongs.
constexpr std::array wait_cases{
    WaitCase{"MemcpyAsyncPinnedH2d", true, Direction::h2d, MemoryKind::pinned,
             Promise::returns_first, "row 1: should be fully asynchronous"},
    WaitCase{"MemcpyAsyncPinnedD2h", true, Direction::d2h, MemoryKind::pinned,
             Promise::returns_first, "row 1: should be fully asynchronous"},
    WaitCase{"MemcpyAsyncRegisteredH2d", true, Direction::h2d, MemoryKind::registered,
             Promise::returns_first, "row 1: should be fully asynchronous"},
    WaitCase{"MemcpyAsyncRegisteredD2h", true, Direction::d2h, MemoryKind::registered,
             Promise::returns_first, "row 1: should be fully asynchronous"},
    WaitCase{"MemcpyAsyncPageableH2d", true, Direction::h2d, MemoryKind::pageable, Promise::nothing,
             "row 2: might be synchronous; row 3: may synchronise with the stream"},
    WaitCase{"MemcpyAsyncPageableD2h", true, Direction::d2h, MemoryKind::pageable, Promise::nothing,
             "row 2: might be synchronous; row 3: may synchronise with the stream"},
    WaitCase{"MemcpyAsyncManagedH2d", true, Direction::h2d, MemoryKind::managed, Promise::nothing,
             "row 14: not documented since 12.2, fully synchronous before"},
    WaitCase{"MemcpyAsyncManagedD2h", true, Direction::d2h, MemoryKind::managed, Promise::nothing,
             "row 14: not documented since 12.2, fully synchronous before"},
    WaitCase{"MemcpyAsyncD2d", true, Direction::d2d, MemoryKind::device, Promise::returns_first,
             "row 5: asynchronous"},
    WaitCase{"MemcpyAsyncPageableH2h", true, Direction::h2h, MemoryKind::pageable, Promise::nothing,
             "row 4: fully synchronous; says nothing of earlier work"},
    WaitCase{"MemcpyPinnedH2d", false, Direction::h2d, MemoryKind::pinned, Promise::waits,
             "row 8: synchronous"},
    WaitCase{"MemcpyPinnedD2h", false, Direction::d2h, MemoryKind::pinned, Promise::waits,
             "row 9: returns when the copy is complete"},
    WaitCase{"MemcpyRegisteredH2d", false, Direction::h2d, MemoryKind::registered, Promise::waits,
             "row 8: synchronous"},
    WaitCase{"MemcpyRegisteredD2h", false, Direction::d2h, MemoryKind::registered, Promise::waits,
             "row 9: returns when the copy is complete"},
    WaitCase{"MemcpyPageableH2d", false, Direction::h2d, MemoryKind::pageable, Promise::nothing,
             "row 7: synchronises the stream first; row 13: asynchronous up to 64 KB"},
    WaitCase{"MemcpyPageableD2h", false, Direction::d2h, MemoryKind::pageable, Promise::waits,
             "row 9: returns when the copy is complete"},
    WaitCase{"MemcpyManagedH2d", false, Direction::h2d, MemoryKind::managed, Promise::nothing,
             "row 14: not documented since 12.2, fully synchronous before"},
    WaitCase{"MemcpyManagedD2h", false, Direction::d2h, MemoryKind::managed, Promise::nothing,
             "row 14: not documented since 12.2, fully synchronous before"},
    WaitCase{"MemcpyD2d", false, Direction::d2d, MemoryKind::device, Promise::returns_first,
             "row 10: no synchronisation with the host"},
    WaitCase{"MemcpyPageableH2h", false, Direction::h2h, MemoryKind::pageable, Promise::nothing,
             "row 11: fully synchronous; says nothing of earlier work"},
};

struct Size {
  const char* name;
  std::size_t bytes;
};
constexpr std::array sizes{Size{"4 KiB", std::size_t{4} << 10U},
                           Size{"1 MiB", std::size_t{1} << 20U},
                           Size{"16 MiB", std::size_t{16} << 20U}};

class HostWait : public Contract, public testing::WithParamInterface<WaitCase> {};

TEST_P(HostWait, BehindAClosedGate) {
  const auto& tested = GetParam();
  documented(tested.documented);
  if (tested.host == MemoryKind::managed && !has_concurrent_managed_access()) {
    observed("skipped: no concurrent managed access");
    GTEST_SKIP();
  }
  const bool from_device = tested.direction == Direction::d2h || tested.direction == Direction::d2d;
  const bool to_device = tested.direction == Direction::h2d || tested.direction == Direction::d2d;
  const StreamView stream = tested.is_async ? stream_.view() : StreamView(cudaStreamLegacy);
  Outcomes seen;
  for (const Size& size : sizes) {
    const Buffer source(from_device ? MemoryKind::device : tested.host, size.bytes);
    const Buffer destination(to_device ? MemoryKind::device : tested.host, size.bytes);
    fill(source, new_byte);
    fill(destination, old_byte);
    const bool first = returns_first(stream, [&] {
      if (tested.is_async) {
        copy_async(destination.data(), source.data(), size.bytes, tested.direction, stream);
      } else {
        copy(destination.data(), source.data(), size.bytes, tested.direction);
      }
    });
    expect_promise(tested.promise, first);
    EXPECT_TRUE(holds(destination, new_byte));
    seen.emplace_back(size.name, describe_return(first));
  }
  observed(describe(seen));
}

INSTANTIATE_TEST_SUITE_P(Copies, HostWait, testing::ValuesIn(wait_cases),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace copybench
