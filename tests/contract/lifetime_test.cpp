// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <ostream>
#include <utility>

#include "common/cuda/check.hpp"
#include "common/cuda/copy.hpp"
#include "tests/contract/contract.hpp"

namespace copybench {
namespace {

struct Size {
  const char* name;
  std::size_t bytes;
};
constexpr std::array sizes{Size{"64 B", 64}, Size{"4 KiB", std::size_t{4} << 10U},
                           Size{"1 MiB", std::size_t{1} << 20U}};

enum class Copy { async, sync };

void call(Copy form, const Buffer& destination, const Buffer& source, Direction direction,
          StreamView stream) {
  if (form == Copy::async) {
    copy_async(destination.data(), source.data(), source.size(), direction, stream);
  } else {
    copy(destination.data(), source.data(), source.size(), direction);
  }
}

class Lifetime : public Contract {
 protected:
  // Makes a copy behind a closed gate and does `then` as soon as it has returned.
  void behind_gate(Copy form, const Buffer& destination, const Buffer& source, Direction direction,
                   const std::function<void()>& then) {
    const StreamView stream = form == Copy::async ? stream_.view() : StreamView(cudaStreamLegacy);
    gate_.close(stream);
    const OpenOnExit guard(gate_);
    gate_.start_hold(long_hold);
    call(form, destination, source, direction, stream);
    then();
    (void)gate_.open();
    stream.sync();
    gate_.require_opened_by_host();
  }
};

struct CaptureCase {
  const char* name;
  Copy form;
  MemoryKind source;
  bool is_promised;
  const char* documented;
};
std::ostream& operator<<(std::ostream& out, const CaptureCase& tested) {
  return out << tested.name;
}

constexpr std::array capture_cases{
    CaptureCase{"OfMemcpyAsyncPageable", Copy::async, MemoryKind::pageable, false,
                "row 2: not documented"},
    CaptureCase{"OfMemcpyAsyncPinned", Copy::async, MemoryKind::pinned, false,
                "row 1: asynchronous, so the source is still needed"},
    CaptureCase{"OfMemcpyAsyncRegistered", Copy::async, MemoryKind::registered, false,
                "row 1: asynchronous, so the source is still needed"},
    CaptureCase{"OfMemcpyAsyncManaged", Copy::async, MemoryKind::managed, false,
                "row 14: not documented"},
    CaptureCase{"OfMemcpyPageable", Copy::sync, MemoryKind::pageable, true,
                "row 7: returns once the source sits in staging memory"},
    CaptureCase{"OfMemcpyPinned", Copy::sync, MemoryKind::pinned, true, "row 8: synchronous"},
};

class SourceCapture : public Lifetime, public testing::WithParamInterface<CaptureCase> {};

TEST_P(SourceCapture, SourceOverwrittenOnReturn) {
  const auto& tested = GetParam();
  documented(tested.documented);
  if (tested.source == MemoryKind::managed && !has_concurrent_managed_access()) {
    observed("skipped: no concurrent managed access");
    GTEST_SKIP();
  }
  Outcomes seen;
  for (const Size& size : sizes) {
    const Buffer source(tested.source, size.bytes);
    const Buffer destination(MemoryKind::device, size.bytes);
    fill(source, old_byte);
    fill(destination, std::byte{0});
    behind_gate(tested.form, destination, source, Direction::h2d,
                [&] { std::memset(source.data(), std::to_integer<int>(new_byte), size.bytes); });
    const std::string arrived = describe_arrival(destination);
    if (tested.is_promised) {
      EXPECT_EQ(arrived, "the old bytes arrived") << size.name;
    }
    seen.emplace_back(size.name, arrived);
  }
  observed(describe(seen));
}

INSTANTIATE_TEST_SUITE_P(Copies, SourceCapture, testing::ValuesIn(capture_cases),
                         [](const auto& tested) { return tested.param.name; });

enum class Arrival { unknown, complete, nothing };

struct ArrivalCase {
  const char* name;
  Copy form;
  Direction direction;
  MemoryKind host;
  Arrival promise;
  const char* documented;
};
std::ostream& operator<<(std::ostream& out, const ArrivalCase& tested) {
  return out << tested.name;
}

constexpr std::array arrival_cases{
    ArrivalCase{"OfMemcpyAsyncPageableD2h", Copy::async, Direction::d2h, MemoryKind::pageable,
                Arrival::unknown, "row 15: might be complete on return"},
    ArrivalCase{"OfMemcpyAsyncPinnedD2h", Copy::async, Direction::d2h, MemoryKind::pinned,
                Arrival::nothing, "row 1: asynchronous, and streams run in order"},
    ArrivalCase{"OfMemcpyPageableD2h", Copy::sync, Direction::d2h, MemoryKind::pageable,
                Arrival::complete, "row 9: complete on return"},
    ArrivalCase{"OfMemcpyPinnedD2h", Copy::sync, Direction::d2h, MemoryKind::pinned,
                Arrival::complete, "row 9: complete on return"},
    ArrivalCase{"OfMemcpyAsyncH2h", Copy::async, Direction::h2h, MemoryKind::pageable,
                Arrival::complete, "row 4: fully synchronous"},
    ArrivalCase{"OfMemcpyH2h", Copy::sync, Direction::h2h, MemoryKind::pageable, Arrival::complete,
                "row 11: fully synchronous"},
};

class DestinationArrival : public Lifetime, public testing::WithParamInterface<ArrivalCase> {};

TEST_P(DestinationArrival, DestinationReadOnReturn) {
  const auto& tested = GetParam();
  documented(tested.documented);
  Outcomes seen;
  for (const Size& size : sizes) {
    const Buffer source(tested.direction == Direction::d2h ? MemoryKind::device : tested.host,
                        size.bytes);
    const Buffer destination(tested.host, size.bytes);
    fill(source, new_byte);
    fill(destination, old_byte);
    std::ptrdiff_t arrived = 0;
    behind_gate(tested.form, destination, source, tested.direction, [&] {
      arrived = std::count(destination.data(), destination.data() + size.bytes, new_byte);
    });
    const bool is_complete = std::cmp_equal(arrived, size.bytes);
    if (tested.promise != Arrival::unknown) {
      EXPECT_EQ(is_complete, tested.promise == Arrival::complete) << size.name;
      EXPECT_EQ(arrived == 0, tested.promise == Arrival::nothing) << size.name;
    }
    const char* const less = arrived == 0 ? "nothing had arrived" : "a part had arrived";
    seen.emplace_back(size.name, is_complete ? "complete on return" : less);
    EXPECT_TRUE(holds(destination, new_byte));
  }
  observed(describe(seen));
}

INSTANTIATE_TEST_SUITE_P(Copies, DestinationArrival, testing::ValuesIn(arrival_cases),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace copybench
