// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <ostream>
#include <string>

#include "common/cuda/check.hpp"
#include "common/cuda/copy.hpp"
#include "tests/contract/contract.hpp"

namespace copybench {
namespace {

constexpr std::size_t page = 4096;  // of host memory

// Plain memory of sixteen pages, of which four in the middle are registered.
class PartlyRegistered : public Contract {
 protected:
  PartlyRegistered() {
    check(cudaHostRegister(begin(), 4 * page, cudaHostRegisterDefault), "cudaHostRegister");
  }
  void TearDown() override {
    EXPECT_EQ(cudaHostUnregister(begin()), cudaSuccess);
    Contract::TearDown();
  }
  [[nodiscard]] std::byte* begin() const { return memory_.data() + 4 * page; }
  [[nodiscard]] std::byte* end() const { return memory_.data() + 8 * page; }

  // In a process of its own: the driver might let such a copy run, and then the device would fail.
  [[nodiscard]] std::string copy_eight_pages(const std::byte* source) const {
    return in_own_process([this, source] {
      const Buffer device(MemoryKind::device, 8 * page);
      const cudaError_t code =
          cudaMemcpyAsync(device.data(), source, 8 * page, cudaMemcpyHostToDevice, stream_.get());
      return result_of(code) + ", then " + result_of(cudaStreamSynchronize(stream_.get()));
    });
  }

  Buffer memory_{MemoryKind::pageable, 16 * page};
};

TEST_F(PartlyRegistered, TheDeviceAddressIsTheHosts) {
  documented("the same where every device can use host pointers for registered memory");
  const Buffer pinned(MemoryKind::pinned, page);
  Outcomes seen;
  for (std::byte* const memory : {begin(), begin() + page, pinned.data()}) {
    void* address = nullptr;
    check(cudaHostGetDevicePointer(&address, memory, 0), "cudaHostGetDevicePointer");
    seen.emplace_back(memory == pinned.data() ? "pinned" : "registered",
                      address == memory ? "the same" : "another");
  }
  observed(describe(seen));
}

TEST_F(PartlyRegistered, TheRestHasNoDeviceAddress) {
  documented("not documented");
  void* address = nullptr;
  observed(result_of(cudaHostGetDevicePointer(&address, end(), 0)));
}

TEST_F(PartlyRegistered, ACopyThatLeavesTheRangeIsRefused) {
  documented("row 31: cudaErrorInvalidValue");
  const std::string seen = copy_eight_pages(begin());
  EXPECT_EQ(seen, "cudaErrorInvalidValue, then cudaSuccess");
  observed(seen);
}

// A promise that the driver may not keep: what it finds first is not registered.
TEST_F(PartlyRegistered, ACopyThatEntersTheRange) {
  documented("row 31: cudaErrorInvalidValue");
  const std::string seen = copy_eight_pages(memory_.data());
  if (!seen.starts_with("cudaErrorInvalidValue")) {
    contradicted();
  }
  observed(seen);
}

TEST_F(PartlyRegistered, ACopyWithinTheRangeReturnsFirst) {
  documented("row 1: should be fully asynchronous");
  const Buffer device(MemoryKind::device, page);
  const bool first = returns_first(stream_, [&] {
    copy_async(device.data(), begin() + page + 8, page, Direction::h2d, stream_);
  });
  EXPECT_TRUE(first);
  observed(describe_return(first));
}

TEST_F(PartlyRegistered, ACopyOfTheRestIsPageable) {
  documented("row 2: might be synchronous");
  const Buffer device(MemoryKind::device, page);
  const bool first = returns_first(
      stream_, [&] { copy_async(end(), device.data(), page, Direction::d2h, stream_); });
  observed(describe_return(first));
}

struct AttributeCase {
  const char* name;
  MemoryKind kind;
  cudaMemoryType type;
};
std::ostream& operator<<(std::ostream& out, const AttributeCase& tested) {
  return out << tested.name;
}

constexpr std::array attribute_cases{
    AttributeCase{"OfPageable", MemoryKind::pageable, cudaMemoryTypeUnregistered},
    AttributeCase{"OfPinned", MemoryKind::pinned, cudaMemoryTypeHost},
    AttributeCase{"OfRegistered", MemoryKind::registered, cudaMemoryTypeHost},
    AttributeCase{"OfManaged", MemoryKind::managed, cudaMemoryTypeManaged},
    AttributeCase{"OfDevice", MemoryKind::device, cudaMemoryTypeDevice},
};

std::string name_of(cudaMemoryType type) {
  constexpr std::array names{"unregistered", "host", "device", "managed"};
  return names.at(static_cast<std::size_t>(type));
}

class PointerAttributes : public Contract, public testing::WithParamInterface<AttributeCase> {};

TEST_P(PointerAttributes, Type) {
  const auto& tested = GetParam();
  documented(name_of(tested.type));
  const Buffer buffer(tested.kind, 4 * page);
  Outcomes seen;
  for (const std::size_t offset : {std::size_t{0}, page + 1}) {
    cudaPointerAttributes attributes{};
    check(cudaPointerGetAttributes(&attributes, buffer.data() + offset),
          "cudaPointerGetAttributes");
    EXPECT_EQ(attributes.type, tested.type);
    seen.emplace_back(offset == 0 ? "begin" : "inside", name_of(attributes.type));
  }
  observed(describe(seen));
}

INSTANTIATE_TEST_SUITE_P(Pointers, PointerAttributes, testing::ValuesIn(attribute_cases),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace copybench
