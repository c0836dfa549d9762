// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <regex>
#include <string>
#include <thread>

#include "common/cuda/check.hpp"
#include "tests/contract/contract.hpp"

namespace copybench {
namespace {

class Devices : public Contract {
 protected:
  [[nodiscard]] static int count() {
    int devices = 0;
    check(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
    return devices;
  }
  [[nodiscard]] static int current() {
    int device = -1;
    check(cudaGetDevice(&device), "cudaGetDevice");
    return device;
  }
};

TEST_F(Devices, AnInvalidOrdinalIsRefusedAndChangesNothing) {
  documented("cudaErrorInvalidDevice");
  Outcomes seen;
  for (const int ordinal : {-1, count()}) {
    const std::string code = result_of(cudaSetDevice(ordinal));
    EXPECT_EQ(code, "cudaErrorInvalidDevice");
    EXPECT_EQ(current(), 0);
    seen.emplace_back(ordinal < 0 ? "negative" : "too large", code);
  }
  observed(describe(seen));
}

TEST_F(Devices, ANewThreadStartsOnTheFirstOne) {
  documented("device 0 unless the thread has set another");
  int device = -1;
  std::thread([&] { device = current(); }).join();
  EXPECT_EQ(device, 0);
  observed(device == 0 ? "the first device" : "another device");
}

TEST_F(Devices, HaveTheAttributesThatTheSuiteReads) {
  documented("cudaDeviceGetAttribute returns the value of an attribute");
  for (const cudaDeviceAttr attribute :
       {cudaDevAttrAsyncEngineCount, cudaDevAttrUnifiedAddressing, cudaDevAttrCanMapHostMemory,
        cudaDevAttrConcurrentManagedAccess, cudaDevAttrPageableMemoryAccess,
        cudaDevAttrPageableMemoryAccessUsesHostPageTables, cudaDevAttrMemoryPoolsSupported,
        cudaDevAttrHostRegisterReadOnlySupported, cudaDevAttrMultiProcessorCount}) {
    int value = -1;
    EXPECT_EQ(cudaDeviceGetAttribute(&value, attribute, 0), cudaSuccess) << attribute;
    EXPECT_GE(value, 0) << attribute;
  }
  observed("all are known");
}

TEST_F(Devices, HaveUnifiedAddressing) {
  documented("given on every 64-bit Linux");
  int value = 0;
  check(cudaDeviceGetAttribute(&value, cudaDevAttrUnifiedAddressing, 0), "cudaDeviceGetAttribute");
  EXPECT_EQ(value, 1);
  observed(value == 1 ? "yes" : "no");
}

TEST_F(Devices, HaveABusId) {
  documented("[domain]:[bus]:[device].[function], in hexadecimal");
  std::array<char, 32> id{};
  check(cudaDeviceGetPCIBusId(id.data(), static_cast<int>(id.size()), 0), "cudaDeviceGetPCIBusId");
  const std::regex form("[0-9A-Fa-f]+:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\\.[0-7]");
  const bool matches = std::regex_match(id.data(), form);
  EXPECT_TRUE(matches) << id.data();
  observed(matches ? "of that form" : "of another form");
}

TEST_F(Devices, TellTheirMemory) {
  documented("the free and the total memory");
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  check(cudaMemGetInfo(&free_bytes, &total_bytes), "cudaMemGetInfo");
  const Buffer buffer(MemoryKind::device, std::size_t{256} << 20U);
  std::size_t free_bytes_now = 0;
  check(cudaMemGetInfo(&free_bytes_now, &total_bytes), "cudaMemGetInfo");
  EXPECT_LE(free_bytes, total_bytes);
  EXPECT_GT(free_bytes_now, 0U);
  observed(free_bytes_now < free_bytes ? "an allocation makes the free memory less"
                                       : "an allocation does not show");
}

TEST_F(Devices, CopyToEachOther) {
  documented("cudaMemcpyPeerAsync copies between devices in stream order");
  if (count() < 2) {
    observed("skipped: one device");
    GTEST_SKIP() << "needs two devices";
  }
  constexpr std::size_t bytes = 4096;
  const Buffer first(MemoryKind::device, bytes);
  fill(first, new_byte);
  check(cudaSetDevice(1), "cudaSetDevice");
  const Buffer second(MemoryKind::device, bytes);
  fill(second, old_byte);
  check(cudaSetDevice(0), "cudaSetDevice");
  check(cudaMemcpyPeerAsync(second.data(), 1, first.data(), 0, bytes, stream_.get()),
        "cudaMemcpyPeerAsync");
  stream_.sync();
  EXPECT_TRUE(holds(second, new_byte));
  observed("the bytes arrived");
}

}  // namespace
}  // namespace copybench
