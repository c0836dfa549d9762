// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <string>
#include <vector>

#include "common/cuda/check.hpp"
#include "tests/contract/contract.hpp"

namespace copybench {
namespace {

constexpr std::size_t page = 4096;

cudaError_t enlist(std::byte* memory, std::size_t bytes) {
  return cudaHostRegister(memory, bytes, cudaHostRegisterDefault);
}

class Registration : public Contract {
 protected:
  [[nodiscard]] std::byte* at(std::size_t offset) const { return pageable_.data() + offset; }

  // Registers the range, and unregisters it when the test is over.
  void keep_registered(std::size_t offset, std::size_t bytes) {
    check(enlist(at(offset), bytes), "cudaHostRegister");
    registered_.push_back(at(offset));
  }
  void TearDown() override {
    for (std::byte* const memory : registered_) {
      EXPECT_EQ(cudaHostUnregister(memory), cudaSuccess);
    }
    Contract::TearDown();
  }
  // For a registration that is expected to be refused.
  std::string result_of_registering(std::size_t offset, std::size_t bytes) {
    const cudaError_t code = enlist(at(offset), bytes);
    if (code == cudaSuccess) {
      registered_.push_back(at(offset));
    }
    return result_of(code);
  }

  Buffer pageable_{MemoryKind::pageable, 16 * page};
  std::vector<std::byte*> registered_;
};

TEST_F(Registration, OfTheSameRangeTwiceIsRefused) {
  documented("cudaErrorHostMemoryAlreadyRegistered");
  keep_registered(0, 4 * page);
  const std::string code = result_of_registering(0, 4 * page);
  EXPECT_EQ(code, "cudaErrorHostMemoryAlreadyRegistered");
  observed(code);
}

TEST_F(Registration, OfAnOverlappingRangeIsRefused) {
  documented("cudaErrorHostMemoryAlreadyRegistered");
  keep_registered(0, 4 * page);
  const std::string code = result_of_registering(2 * page, 4 * page);
  EXPECT_EQ(code, "cudaErrorHostMemoryAlreadyRegistered");
  observed(code);
}

TEST_F(Registration, OfAnotherPartOfTheSamePage) {
  documented("not documented");
  keep_registered(0, 100);
  observed(result_of_registering(200, 100));
}

TEST_F(Registration, OfTheNextPages) {
  documented("ranges may be registered that do not overlap");
  keep_registered(0, 4 * page);
  const std::string code = result_of_registering(4 * page, 4 * page);
  EXPECT_EQ(code, "cudaSuccess");
  observed(code);
}

TEST_F(Registration, OfAnUnalignedRange) {
  documented("not documented");
  observed(result_of_registering(100, page));
}

TEST_F(Registration, OfNoBytesIsRefused) {
  documented("not documented");
  const std::string code = result_of_registering(0, 0);
  EXPECT_NE(code, "cudaSuccess");
  observed(code);
}

TEST_F(Registration, OfPinnedMemoryIsRefused) {
  documented("cudaErrorHostMemoryAlreadyRegistered is for registered memory");
  const Buffer pinned(MemoryKind::pinned, page);
  const cudaError_t code = enlist(pinned.data(), page);
  EXPECT_NE(code, cudaSuccess);
  observed(result_of(code));
}

TEST_F(Registration, UnregisteringUnknownMemoryIsRefused) {
  documented("cudaErrorHostMemoryNotRegistered");
  const std::string code = result_of(cudaHostUnregister(at(0)));
  EXPECT_EQ(code, "cudaErrorHostMemoryNotRegistered");
  observed(code);
}

TEST_F(Registration, UnregisteringAnInteriorPointerIsRefused) {
  documented("the address must be the one that was registered");
  keep_registered(0, 4 * page);
  const cudaError_t code = cudaHostUnregister(at(page));
  EXPECT_NE(code, cudaSuccess);
  observed(result_of(code));
}

TEST_F(Registration, UnregisteringPinnedMemoryIsRefused) {
  documented("not documented");
  const Buffer pinned(MemoryKind::pinned, page);
  const std::string code = result_of(cudaHostUnregister(pinned.data()));
  EXPECT_NE(code, "cudaSuccess");
  observed(code);
}

}  // namespace
}  // namespace copybench
