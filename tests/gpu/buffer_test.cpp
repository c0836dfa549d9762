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
      return cudaMemoryTypeUnregistered;
    case MemoryKind::pinned:
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

TEST_P(BufferOfKind, BeginsAtAPage) {
  const Buffer buffer(GetParam(), 1);
  if (is_host_accessible(GetParam())) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 4096, 0U);
  }
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 256, 0U);
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
                         testing::Values(MemoryKind::pinned, MemoryKind::pinned_mapped,
                                         MemoryKind::managed, MemoryKind::device),
                         kind_name);

TEST_P(BufferOfCudasKind, TooMuchIsRefusedAndHarmsNothing) {
  EXPECT_THROW(Buffer(GetParam(), too_much), CudaError);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  EXPECT_NO_THROW(Buffer(GetParam(), 4096));
}

}  // namespace
}  // namespace copybench
