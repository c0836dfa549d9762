// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/buffer.hpp"

#include <cstdint>
#include <limits>
#include <vector>

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "common/kernels.hpp"
#include "common/measurement/pattern.hpp"
#include "tests/gpu/memory_kinds.hpp"

namespace copybench {
namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20U;
// A petabyte: no machine's, and more than the addresses of a process.
constexpr std::size_t too_much = std::size_t{1} << 50U;

cudaMemoryType expected_type(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::pageable:
    case MemoryKind::pageable_thp:
    case MemoryKind::pageable_file:
    case MemoryKind::pageable_stack:
      return cudaMemoryTypeUnregistered;
    case MemoryKind::pinned:
    case MemoryKind::pinned_interior:
    case MemoryKind::pinned_write_combined:
    case MemoryKind::pinned_mapped:
    case MemoryKind::registered:
      return cudaMemoryTypeHost;
    case MemoryKind::managed:
      return cudaMemoryTypeManaged;
    case MemoryKind::device:
      return cudaMemoryTypeDevice;
  }
  return cudaMemoryTypeUnregistered;
}

cudaPointerAttributes attributes_of(const void* memory) {
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, memory), "cudaPointerGetAttributes");
  return attributes;
}

class BufferOfKind : public testing::TestWithParam<MemoryKind> {};

INSTANTIATE_TEST_SUITE_P(Every, BufferOfKind, testing::ValuesIn(all_memory_kinds), kind_name);

TEST_P(BufferOfKind, KnowsItsKindAndSize) {
  const Buffer buffer(GetParam(), megabyte + 3);
  EXPECT_EQ(buffer.kind(), GetParam());
  EXPECT_EQ(buffer.size(), megabyte + 3);
  ASSERT_NE(buffer.data(), nullptr);
}

TEST_P(BufferOfKind, IsWhatCudaSaysItIs) {
  const Buffer buffer(GetParam(), megabyte + 3);
  EXPECT_EQ(attributes_of(buffer.data()).type, expected_type(GetParam()));
  EXPECT_EQ(attributes_of(buffer.data() + megabyte + 2).type, expected_type(GetParam()));
}

TEST_P(BufferOfKind, HoldsWhatIsWrittenToEveryByte) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{4096}, 3 * megabyte + 5}) {
    const Buffer buffer(GetParam(), bytes);
    std::vector<std::byte> written(bytes);
    fill_pattern(written, batch_seed(bytes));
    copy_any(buffer.data(), written.data(), bytes);
    std::vector<std::byte> read(bytes);
    copy_any(read.data(), buffer.data(), bytes);
    EXPECT_EQ(read, written) << bytes << " bytes";
  }
}

TEST_P(BufferOfKind, HostPagesAreWrittenByTheHost) {
  if (!is_host_accessible(GetParam())) {
    GTEST_SKIP() << "not the host's memory";
  }
  const Buffer buffer(GetParam(), megabyte + 3);
  fill_pattern({buffer.data(), buffer.size()}, 7);
  EXPECT_EQ(compare_pattern({buffer.data(), buffer.size()}, 7).count, 0U);
}

std::uintptr_t number(const std::byte* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

TEST_P(BufferOfKind, BeginsAtAPage) {
  if (GetParam() == MemoryKind::pinned_interior) {
    GTEST_SKIP() << "it begins where no page does";
  }
  const Buffer buffer(GetParam(), 1);
  if (is_host_accessible(GetParam())) {
    EXPECT_EQ(number(buffer.data()) % 4096, 0U);
  }
  EXPECT_EQ(number(buffer.data()) % 256, 0U);
}

TEST(PinnedInterior, BeginsInsideABlockAtACacheLine) {
  const Buffer buffer(MemoryKind::pinned_interior, megabyte);
  EXPECT_EQ(number(buffer.data()) % 64, 0U);
  EXPECT_NE(number(buffer.data()) % 4096, 0U);
  // What CUDA gave out can be given back, the inside of it cannot.
  EXPECT_NE(cudaFreeHost(buffer.data()), cudaSuccess);
  (void)cudaGetLastError();
  EXPECT_EQ(attributes_of(buffer.data() - 4096).type, cudaMemoryTypeHost);
  EXPECT_EQ(attributes_of(buffer.data() + megabyte - 1).type, cudaMemoryTypeHost);
}

TEST_P(BufferOfKind, SeveralAtOnceKeepToThemselves) {
  const Buffer first(GetParam(), megabyte + 3);
  const Buffer second(GetParam(), megabyte + 3);
  std::vector<std::byte> written(megabyte + 3, std::byte{1});
  copy_any(first.data(), written.data(), written.size());
  const std::vector<std::byte> other(megabyte + 3, std::byte{2});
  copy_any(second.data(), other.data(), other.size());
  std::vector<std::byte> read(megabyte + 3);
  copy_any(read.data(), first.data(), read.size());
  EXPECT_EQ(read, written);
}

TEST_P(BufferOfKind, IsGivenBack) {
  // Pinned memory that is not given back would use up a machine, and registering the same pages
  // twice is refused.
  for (int i = 0; i < 50; ++i) {
    const Buffer buffer(GetParam(), 16 * megabyte);
    ASSERT_EQ(attributes_of(buffer.data()).type, expected_type(GetParam()));
  }
}

TEST(DeviceBuffer, IsGivenBack) {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  for (int i = 0; i < 5; ++i) {
    const Buffer buffer(MemoryKind::device, free / 2);
    ASSERT_NE(buffer.data(), nullptr);
  }
}

class BufferOfKernelsKind : public testing::TestWithParam<MemoryKind> {};

INSTANTIATE_TEST_SUITE_P(Every, BufferOfKernelsKind,
                         testing::Values(MemoryKind::pinned_mapped, MemoryKind::managed,
                                         MemoryKind::device),
                         kind_name);

TEST_P(BufferOfKernelsKind, KernelsReachIt) {
  const Buffer buffer(GetParam(), 4099);
  const Stream stream(StreamKind::nonblocking);
  launch_fill_pattern(stream, buffer.device_address(), buffer.size(), 11);
  stream.sync();
  std::vector<std::byte> read(buffer.size());
  copy_any(read.data(), buffer.data(), read.size());
  EXPECT_EQ(compare_pattern(read, 11).count, 0U);
}

class BufferOfCudasKind : public testing::TestWithParam<MemoryKind> {};

INSTANTIATE_TEST_SUITE_P(Every, BufferOfCudasKind,
                         testing::Values(MemoryKind::pinned, MemoryKind::pinned_interior,
                                         MemoryKind::pinned_mapped, MemoryKind::managed,
                                         MemoryKind::device),
                         kind_name);

TEST_P(BufferOfCudasKind, TooMuchIsRefusedAndHarmsNothing) {
  EXPECT_THROW(Buffer(GetParam(), too_much), CudaError);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  EXPECT_NO_THROW(Buffer(GetParam(), 4096));
}

}  // namespace
}  // namespace copybench
