// SPDX-License-Identifier: Apache-2.0
// The calls that do what cudaMemcpyAsync does.
#include <array>
#include <cstddef>
#include <ostream>
#include <vector>

#include "common/cuda/copy_api.hpp"
#include "common/kernels.hpp"
#include "tests/contract/contract.hpp"
#include "tests/gpu/memory_kinds.hpp"

namespace copybench {
namespace {

struct CallCase {
  const char* name;
  CopyApi api;
  Direction direction;
  MemoryKind host;
  Promise promise;
  const char* documented;
};
std::ostream& operator<<(std::ostream& out, const CallCase& tested) { return out << tested.name; }

constexpr const char* pinned = "row 1: should be fully asynchronous";
constexpr const char* pageable = "row 2: might be synchronous";
constexpr const char* launch = "asynchronous for most use cases; says nothing of pageable memory";

constexpr std::array call_cases{
    CallCase{"Memcpy3DAsyncPinnedH2d", CopyApi::memcpy_3d_async, Direction::h2d, MemoryKind::pinned,
             Promise::returns_first, pinned},
    CallCase{"Memcpy3DAsyncPinnedD2h", CopyApi::memcpy_3d_async, Direction::d2h, MemoryKind::pinned,
             Promise::returns_first, pinned},
    CallCase{"Memcpy3DAsyncPageableH2d", CopyApi::memcpy_3d_async, Direction::h2d,
             MemoryKind::pageable, Promise::nothing, pageable},
    CallCase{"Memcpy3DAsyncPageableD2h", CopyApi::memcpy_3d_async, Direction::d2h,
             MemoryKind::pageable, Promise::nothing, pageable},
    CallCase{"MemcpyToSymbolAsyncPinnedH2d", CopyApi::memcpy_to_symbol_async, Direction::h2d,
             MemoryKind::pinned, Promise::returns_first, pinned},
    CallCase{"MemcpyToSymbolAsyncPageableH2d", CopyApi::memcpy_to_symbol_async, Direction::h2d,
             MemoryKind::pageable, Promise::nothing, pageable},
    CallCase{"GraphLaunchPinnedH2d", CopyApi::graph_launch, Direction::h2d, MemoryKind::pinned,
             Promise::returns_first, pinned},
    CallCase{"GraphLaunchPinnedD2h", CopyApi::graph_launch, Direction::d2h, MemoryKind::pinned,
             Promise::returns_first, pinned},
    CallCase{"GraphLaunchPageableH2d", CopyApi::graph_launch, Direction::h2d, MemoryKind::pageable,
             Promise::nothing, launch},
    CallCase{"GraphLaunchPageableD2h", CopyApi::graph_launch, Direction::d2h, MemoryKind::pageable,
             Promise::nothing, launch},
};

struct Size {
  const char* name;
  std::size_t bytes;
};
// The symbol has no room for more.
constexpr std::array sizes{Size{"4 KiB", std::size_t{4} << 10U},
                           Size{"64 KiB", std::size_t{64} << 10U},
                           Size{"1 MiB", std::size_t{1} << 20U}};

// Whether the rows have the new byte, and the gaps between them the old one.
bool holds_rows(const std::vector<std::byte>& bytes, const CopyLayout& layout) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != (i % layout.pitch < layout.width ? new_byte : old_byte)) {
      return false;
    }
  }
  return true;
}

class CopyCalls : public Contract, public testing::WithParamInterface<CallCase> {};

TEST_P(CopyCalls, BehindAClosedGate) {
  const auto& tested = GetParam();
  documented(tested.documented);
  const bool to_device = tested.direction == Direction::h2d;
  const bool to_symbol = tested.api == CopyApi::memcpy_to_symbol_async;
  Outcomes seen;
  for (const Size& size : sizes) {
    if (to_symbol && size.bytes > symbol_bytes) {
      continue;
    }
    const CopyLayout layout = copy_layout(tested.api, size.bytes);
    const Buffer source(to_device ? tested.host : MemoryKind::device, layout.extent());
    const Buffer destination(to_device ? MemoryKind::device : tested.host, layout.extent());
    std::byte* const target = to_symbol ? symbol_address() : destination.data();
    fill(source, new_byte);
    fill(destination, old_byte);
    const PreparedCopy copy(tested.api, target, source.data(), size.bytes, tested.direction,
                            stream_);
    copy();  // the first call of its kind sets things up
    stream_.sync();
    const std::vector<std::byte> old(layout.extent(), old_byte);
    copy_any(target, old.data(), old.size());
    const bool first = returns_first(stream_, [&] { copy(); });
    expect_promise(tested.promise, first);
    std::vector<std::byte> arrived(layout.extent());
    copy_any(arrived.data(), target, arrived.size());
    EXPECT_TRUE(holds_rows(arrived, layout)) << size.name;
    seen.emplace_back(size.name, describe_return(first));
  }
  observed(describe(seen));
}

INSTANTIATE_TEST_SUITE_P(Copies, CopyCalls, testing::ValuesIn(call_cases),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace copybench
