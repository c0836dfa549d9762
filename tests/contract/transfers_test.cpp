// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <ostream>

#include "common/cuda/check.hpp"
#include "common/cuda/copy.hpp"
#include "tests/contract/contract.hpp"

namespace copybench {
namespace {

constexpr std::size_t bytes = std::size_t{1} << 20U;

struct MemsetCase {
  const char* name;
  bool is_async;
  MemoryKind kind;
  Promise promise;
  const char* documented;
};
std::ostream& operator<<(std::ostream& out, const MemsetCase& tested) { return out << tested.name; }

constexpr std::array memset_cases{
    MemsetCase{"MemsetDevice", false, MemoryKind::device, Promise::returns_first,
               "row 16: asynchronous"},
    MemsetCase{"MemsetPinned", false, MemoryKind::pinned, Promise::waits,
               "row 16: synchronous for pinned host memory"},
    MemsetCase{"MemsetManaged", false, MemoryKind::managed, Promise::nothing,
               "row 16: says nothing of managed memory"},
    MemsetCase{"MemsetAsyncDevice", true, MemoryKind::device, Promise::returns_first,
               "row 17: always asynchronous"},
    MemsetCase{"MemsetAsyncPinned", true, MemoryKind::pinned, Promise::returns_first,
               "row 17: always asynchronous"},
    MemsetCase{"MemsetAsyncManaged", true, MemoryKind::managed, Promise::returns_first,
               "row 17: always asynchronous"},
};

class Memset : public Contract, public testing::WithParamInterface<MemsetCase> {};

TEST_P(Memset, BehindAClosedGate) {
  const auto& tested = GetParam();
  documented(tested.documented);
  if (tested.kind == MemoryKind::managed && !has_concurrent_managed_access()) {
    observed("skipped: no concurrent managed access");
    GTEST_SKIP();
  }
  const Buffer memory(tested.kind, bytes);
  fill(memory, old_byte);
  const int value = std::to_integer<int>(new_byte);
  const StreamView stream = tested.is_async ? stream_.view() : StreamView(cudaStreamLegacy);
  const bool first = returns_first(stream, [&] {
    if (tested.is_async) {
      check(cudaMemsetAsync(memory.data(), value, bytes, stream.get()), "cudaMemsetAsync");
    } else {
      check(cudaMemset(memory.data(), value, bytes), "cudaMemset");
    }
  });
  expect_promise(tested.promise, first);
  EXPECT_TRUE(holds(memory, new_byte));
  observed(describe_return(first));
}

INSTANTIATE_TEST_SUITE_P(Transfers, Memset, testing::ValuesIn(memset_cases),
                         [](const auto& tested) { return tested.param.name; });

class Copies2D : public Contract {
 protected:
  static constexpr std::size_t width = 100;
  static constexpr std::size_t pitch = 128;
  static constexpr std::size_t rows = 64;

  // Device memory has no gaps between its rows.
  void to_device(const Buffer& device, const Buffer& host) {
    check(cudaMemcpy2DAsync(device.data(), width, host.data(), pitch, width, rows,
                            cudaMemcpyHostToDevice, stream_.get()),
          "cudaMemcpy2DAsync");
  }
  void to_host(const Buffer& host, const Buffer& device) {
    check(cudaMemcpy2DAsync(host.data(), pitch, device.data(), width, width, rows,
                            cudaMemcpyDeviceToHost, stream_.get()),
          "cudaMemcpy2DAsync");
  }

  Buffer device_{MemoryKind::device, width * rows};
  Buffer pinned_{MemoryKind::pinned, pitch * rows};
  Buffer pageable_{MemoryKind::pageable, pitch * rows};
};

TEST_F(Copies2D, MoveRowsAndLeaveTheGapsAlone) {
  documented("copies the given width of every row");
  const Buffer destination(MemoryKind::pinned, pitch * rows);
  fill(pinned_, new_byte);
  fill(destination, old_byte);
  to_device(device_, pinned_);
  to_host(destination, device_);
  stream_.sync();
  for (std::size_t row = 0; row < rows; ++row) {
    const std::byte* const begin = destination.data() + row * pitch;
    EXPECT_EQ(std::count(begin, begin + width, new_byte), std::ptrdiff_t{width}) << row;
    EXPECT_EQ(std::count(begin + width, begin + pitch, old_byte), std::ptrdiff_t{pitch - width});
  }
  observed("the rows and nothing else");
}

TEST_F(Copies2D, OfPinnedMemoryReturnFirst) {
  documented("row 1: should be fully asynchronous");
  const bool h2d = returns_first(stream_, [this] { to_device(device_, pinned_); });
  const bool d2h = returns_first(stream_, [this] { to_host(pinned_, device_); });
  EXPECT_TRUE(h2d);
  EXPECT_TRUE(d2h);
  observed(describe({{"h2d", describe_return(h2d)}, {"d2h", describe_return(d2h)}}));
}

TEST_F(Copies2D, OfPageableMemory) {
  documented("row 2: might be synchronous");
  const bool h2d = returns_first(stream_, [this] { to_device(device_, pageable_); });
  const bool d2h = returns_first(stream_, [this] { to_host(pageable_, device_); });
  observed(describe({{"h2d", describe_return(h2d)}, {"d2h", describe_return(d2h)}}));
}

}  // namespace
}  // namespace copybench
