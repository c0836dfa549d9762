// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/batch.hpp"

#if CUDART_VERSION >= 12080

#include <array>
#include <cstddef>

#include "common/cuda/check.hpp"
#include "tests/contract/contract.hpp"

namespace copybench {
namespace {

constexpr std::size_t bytes = 4096;

class BatchCopies : public Contract {
 protected:
  BatchCopies() {
    fill(source_, new_byte);
    fill(first_, old_byte);
    fill(second_, old_byte);
  }
  Buffer source_{MemoryKind::pinned, bytes};
  Buffer first_{MemoryKind::device, bytes};
  Buffer second_{MemoryKind::device, bytes};
};

TEST_F(BatchCopies, DeliverEveryEntry) {
  documented("row 18: the batch as a whole runs in stream order");
  check(copy_batch({{first_.data(), source_.data(), bytes}, {second_.data(), source_.data(), 100}},
                   cudaMemcpySrcAccessOrderStream, stream_.get()),
        "cudaMemcpyBatchAsync");
  stream_.sync();
  EXPECT_TRUE(holds(first_, new_byte));
  std::array<std::byte, bytes> second{};
  check(cudaMemcpy(second.data(), second_.data(), bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
  EXPECT_EQ(second[99], new_byte);
  EXPECT_EQ(second[100], old_byte);
  observed("the bytes arrived");
}

TEST_F(BatchCopies, InTheLegacyStreamAreRefused) {
  documented("row 18: must not be the legacy stream");
  Outcomes seen;
  for (const StreamView stream : {StreamView(nullptr), StreamView(cudaStreamLegacy)}) {
    const cudaError_t code = copy_batch({{first_.data(), source_.data(), bytes}},
                                        cudaMemcpySrcAccessOrderStream, stream.get());
    EXPECT_NE(code, cudaSuccess);
    seen.emplace_back(stream.get() == nullptr ? "null handle" : "cudaStreamLegacy",
                      result_of(code));
  }
  observed(describe(seen));
}

TEST_F(BatchCopies, WithAnEntryOfZeroBytes) {
  documented("not documented");
  observed(result_of(
      copy_batch({{first_.data(), source_.data(), bytes}, {second_.data(), source_.data(), 0}},
                 cudaMemcpySrcAccessOrderStream, stream_.get())));
}

TEST_F(BatchCopies, WithoutEntries) {
  documented("not documented");
  observed(result_of(copy_batch({}, cudaMemcpySrcAccessOrderStream, stream_.get(), 0)));
}

TEST_F(BatchCopies, WithoutAttributesAreRefused) {
  documented("row 18: cudaErrorInvalidValue");
  const std::string code = result_of(copy_batch({{first_.data(), source_.data(), bytes}},
                                                cudaMemcpySrcAccessOrderStream, stream_.get(), 0));
  EXPECT_EQ(code, "cudaErrorInvalidValue");
  observed(code);
}

TEST_F(BatchCopies, WithoutAnAccessOrderAreRefused) {
  documented("row 18: cudaErrorInvalidValue");
  const std::string code = result_of(copy_batch({{first_.data(), source_.data(), bytes}},
                                                cudaMemcpySrcAccessOrderInvalid, stream_.get()));
  EXPECT_EQ(code, "cudaErrorInvalidValue");
  observed(code);
}

}  // namespace
}  // namespace copybench

#endif
