// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <string>
#include <utility>

#include "common/cuda/check.hpp"
#include "tests/contract/contract.hpp"

namespace copybench {
namespace {

constexpr std::size_t bytes = 4096;

// The rest may crash or lose the context, for all that the documentation says.
std::string outcome_of(cudaError_t code) {
  if (code != cudaSuccess) {
    return result_of(code);
  }
  return "accepted, then " + result_of(cudaDeviceSynchronize());
}

using BadPointers = Contract;

TEST_F(BadPointers, MemcpyAsyncFromNull) {
  documented("not documented");
  observed(in_own_process([this] {
    const Buffer device(MemoryKind::device, bytes);
    return outcome_of(
        cudaMemcpyAsync(device.data(), nullptr, bytes, cudaMemcpyHostToDevice, stream_.get()));
  }));
}

TEST_F(BadPointers, MemcpyAsyncPastTheEndOfDeviceMemory) {
  documented("not documented");
  observed(in_own_process([this] {
    constexpr std::size_t too_much = std::size_t{256} << 20U;
    const Buffer device(MemoryKind::device, bytes);
    const Buffer pinned(MemoryKind::pinned, too_much);
    return outcome_of(cudaMemcpyAsync(device.data(), pinned.data(), too_much,
                                      cudaMemcpyHostToDevice, stream_.get()));
  }));
}

TEST_F(BadPointers, MemcpyAsyncOfTheWrongDirection) {
  documented("undefined behaviour");
  observed(in_own_process([this] {
    const Buffer device(MemoryKind::device, bytes);
    const Buffer pageable(MemoryKind::pageable, bytes);
    return outcome_of(cudaMemcpyAsync(device.data(), pageable.data(), bytes, cudaMemcpyDeviceToHost,
                                      stream_.get()));
  }));
}

TEST_F(BadPointers, MemcpyDefaultFindsTheDirection) {
  documented("the direction is inferred from the pointers");
  const Buffer device(MemoryKind::device, bytes);
  const Buffer pinned(MemoryKind::pinned, bytes);
  const Buffer pageable(MemoryKind::pageable, bytes);
  fill(pageable, new_byte);
  for (const auto& [to, from] : {std::pair{&device, &pageable}, std::pair{&pinned, &device}}) {
    check(cudaMemcpyAsync(to->data(), from->data(), bytes, cudaMemcpyDefault, stream_.get()),
          "cudaMemcpyAsync");
    stream_.sync();
    EXPECT_TRUE(holds(*to, new_byte));
  }
  observed("the bytes arrived");
}

}  // namespace
}  // namespace copybench
