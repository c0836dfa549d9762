// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/prefetch.hpp"

#include <array>
#include <cstddef>

#include "common/cuda/check.hpp"
#include "tests/contract/contract.hpp"

namespace copybench {
namespace {

struct Size {
  const char* name;
  std::size_t bytes;
};
constexpr std::array sizes{Size{"4 KiB", std::size_t{4} << 10U},
                           Size{"1 MiB", std::size_t{1} << 20U}};

class Prefetches : public Contract {
 protected:
  void SetUp() override {
    if (!has_concurrent_managed_access()) {
      documented("needs concurrent managed access");
      observed("skipped: no concurrent managed access");
      GTEST_SKIP();
    }
  }
};

TEST_F(Prefetches, BehindAClosedGate) {
  documented("asynchronous for most use cases");
  Outcomes seen;
  for (const Size& size : sizes) {
    const Buffer memory(MemoryKind::managed, size.bytes);
    prefetch_to_device(memory.data(), size.bytes, 0, stream_);  // the first call sets things up
    stream_.sync();
    fill(memory, new_byte);
    const bool first =
        returns_first(stream_, [&] { prefetch_to_device(memory.data(), size.bytes, 0, stream_); });
    EXPECT_TRUE(holds(memory, new_byte));
    seen.emplace_back(size.name, describe_return(first));
  }
  observed(describe(seen));
}

TEST_F(Prefetches, OfMemoryThatIsNotManaged) {
  documented("only managed memory, or pageable memory that the device can access");
  const auto result_for = [this](MemoryKind kind) {
    const Buffer memory(kind, 4096);
    try {
      prefetch_to_device(memory.data(), memory.size(), 0, stream_);
    } catch (const CudaError& error) {
      return result_of(error.code());
    }
    stream_.sync();
    return result_of(cudaSuccess);
  };
  observed(describe(
      {{"device", result_for(MemoryKind::device)}, {"pinned", result_for(MemoryKind::pinned)}}));
}

}  // namespace
}  // namespace copybench
