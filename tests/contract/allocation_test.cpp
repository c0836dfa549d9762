// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <ostream>

#include "common/cuda/check.hpp"
#include "common/cuda/copy.hpp"
#include "tests/contract/contract.hpp"

namespace copybench {
namespace {

constexpr std::size_t allocated_bytes = std::size_t{32} << 20U;
constexpr std::size_t far_too_much = std::size_t{1} << 50U;

using Allocation = Contract;

TEST_F(Allocation, OfTooMuchIsRefusedAndHarmsNothing) {
  documented("cudaErrorMemoryAllocation");
  void* memory = nullptr;
  const std::string code = result_of(cudaMalloc(&memory, far_too_much));
  EXPECT_EQ(code, "cudaErrorMemoryAllocation");
  EXPECT_EQ(cudaMalloc(&memory, 4096), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  observed(code);
}

TEST_F(Allocation, OfTooMuchInOrderOfAStreamIsRefused) {
  documented("cudaErrorOutOfMemory, which is another name of cudaErrorMemoryAllocation");
  void* memory = nullptr;
  const std::string code = result_of(cudaMallocAsync(&memory, far_too_much, stream_.get()));
  EXPECT_EQ(code, "cudaErrorMemoryAllocation");
  observed(code);
}

TEST_F(Allocation, OfTooMuchPinnedMemoryIsRefused) {
  documented("cudaErrorMemoryAllocation");
  void* memory = nullptr;
  const cudaError_t code = cudaHostAlloc(&memory, far_too_much, cudaHostAllocDefault);
  EXPECT_EQ(code, cudaErrorMemoryAllocation);
  observed(result_of(code));
}

TEST_F(Allocation, FreeingNullIsNoOperation) {
  documented("cudaFree of a null pointer does nothing; cudaFreeHost is not documented");
  const cudaError_t device = cudaFree(nullptr);
  EXPECT_EQ(device, cudaSuccess);
  const cudaError_t host = cudaFreeHost(nullptr);
  observed(describe({{"cudaFree", result_of(device)}, {"cudaFreeHost", result_of(host)}}));
}

TEST_F(Allocation, FreeingTwiceIsRefused) {
  documented("an error is returned");
  void* memory = nullptr;
  check(cudaMalloc(&memory, allocated_bytes), "cudaMalloc");
  check(cudaFree(memory), "cudaFree");
  const cudaError_t code = cudaFree(memory);
  EXPECT_NE(code, cudaSuccess);
  observed(result_of(code));
}

TEST_F(Allocation, FreeingPinnedMemoryTwiceIsRefused) {
  documented("not documented");
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, allocated_bytes, cudaHostAllocDefault), "cudaHostAlloc");
  check(cudaFreeHost(memory), "cudaFreeHost");
  const std::string code = result_of(cudaFreeHost(memory));
  EXPECT_NE(code, "cudaSuccess");
  observed(code);
}

TEST_F(Allocation, FreeingAnInteriorPointerIsRefused) {
  documented("the pointer must be one that an allocation returned");
  const Buffer device(MemoryKind::device, allocated_bytes);
  const cudaError_t code = cudaFree(device.data() + 4096);
  EXPECT_NE(code, cudaSuccess);
  observed(result_of(code));
}

TEST_F(Allocation, InOrderOfAStreamIsUsableInThatOrder) {
  documented("the pointer is returned immediately and usable by later work of the stream");
  const Buffer source(MemoryKind::pinned, allocated_bytes);
  const Buffer destination(MemoryKind::pinned, allocated_bytes);
  fill(source, new_byte);
  fill(destination, old_byte);
  const bool first = returns_first(stream_, [&] {
    void* memory = nullptr;
    check(cudaMallocAsync(&memory, allocated_bytes, stream_.get()), "cudaMallocAsync");
    auto* const device = static_cast<std::byte*>(memory);
    copy_async(device, source.data(), allocated_bytes, Direction::h2d, stream_);
    copy_async(destination.data(), device, allocated_bytes, Direction::d2h, stream_);
    check(cudaFreeAsync(memory, stream_.get()), "cudaFreeAsync");
  });
  EXPECT_TRUE(first);
  EXPECT_TRUE(holds(destination, new_byte));
  observed("the bytes arrived, the calls " + describe_return(first));
}

}  // namespace
}  // namespace copybench
