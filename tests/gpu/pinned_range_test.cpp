// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/pinned_range.hpp"

#include <optional>
#include <utility>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "common/cuda/buffer.hpp"
#include "common/cuda/check.hpp"
#include "common/cuda/copy.hpp"
#include "common/cuda/untouched_memory.hpp"
#include "common/measurement/pattern.hpp"

namespace copybench {
namespace {

constexpr std::size_t pinned_bytes = (std::size_t{1} << 20U) + 3;

TEST(PinnedRange, ThatIsAllocatedIsPinned) {
  PinnedRange range = PinnedRange::allocated(pinned_bytes);
  EXPECT_TRUE(is_pinned({range.data(), pinned_bytes}));
  range.give_back();
  EXPECT_EQ(range.data(), nullptr);
}

TEST(PinnedRange, ThatIsRegisteredIsPinnedUntilItIsGivenBack) {
  const UntouchedMemory memory(pinned_bytes, false);
  EXPECT_FALSE(is_pinned(memory.bytes()));
  PinnedRange range = PinnedRange::registered(memory.bytes());
  EXPECT_EQ(range.data(), memory.bytes().data());
  EXPECT_TRUE(is_pinned(memory.bytes()));
  range.give_back();
  EXPECT_FALSE(is_pinned(memory.bytes()));
}

TEST(PinnedRange, IsGivenBackWithItsOwner) {
  const UntouchedMemory memory(pinned_bytes, false);
  {
    PinnedRange first = PinnedRange::registered(memory.bytes());
    const std::optional<PinnedRange> second = std::move(first);
    EXPECT_TRUE(is_pinned(memory.bytes()));
  }
  EXPECT_FALSE(is_pinned(memory.bytes()));
}

TEST(PinnedRange, ThatCannotBeGivenBackSaysSo) {
  const UntouchedMemory memory(pinned_bytes, false);
  PinnedRange range = PinnedRange::registered(memory.bytes());
  ASSERT_EQ(cudaHostUnregister(range.data()), cudaSuccess);
  EXPECT_THROW(range.give_back(), CudaError);
}

TEST(PinnedRange, OfRegisteredMemoryTwiceIsRefused) {
  const UntouchedMemory memory(pinned_bytes, false);
  const PinnedRange range = PinnedRange::registered(memory.bytes());
  EXPECT_THROW((void)PinnedRange::registered(memory.bytes()), CudaError);
  EXPECT_TRUE(is_pinned(memory.bytes()));
}

TEST(PinnedRange, HoldsWhatIsCopiedThroughIt) {
  const UntouchedMemory memory(pinned_bytes, true);
  const PinnedRange source = PinnedRange::registered(memory.bytes());
  const PinnedRange destination = PinnedRange::allocated(pinned_bytes);
  const Buffer device(MemoryKind::device, pinned_bytes);
  const Stream stream(StreamKind::nonblocking);
  fill_pattern(memory.bytes(), batch_seed(1));
  copy_async(device.data(), source.data(), pinned_bytes, Direction::h2d, stream);
  copy_async(destination.data(), device.data(), pinned_bytes, Direction::d2h, stream);
  stream.sync();
  EXPECT_EQ(compare_pattern({destination.data(), pinned_bytes}, batch_seed(1)).count, 0U);
}

}  // namespace
}  // namespace copybench
