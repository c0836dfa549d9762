// SPDX-License-Identifier: Apache-2.0
#include "common/staging/array_transfer.hpp"

#include <array>
#include <string>

#include <gtest/gtest.h>

#include "common/cuda/buffer.hpp"
#include "common/measurement/pattern.hpp"
#include "common/measurement/verification.hpp"
#include "common/named_enum.hpp"
#include "common/staging/automatic_transfer.hpp"

namespace copybench {
namespace {

class ArrayTransferTest : public testing::TestWithParam<ArrayStrategy> {
 protected:
  static constexpr std::size_t most_bytes = std::size_t{9} << 20U;

  // What the strategy is made for.
  [[nodiscard]] static MemoryKind host_kind() {
    switch (GetParam()) {
      case ArrayStrategy::driver_pinned:
        return MemoryKind::pinned;
      case ArrayStrategy::mapped_kernel:
        return MemoryKind::pinned_mapped;
      case ArrayStrategy::managed_prefetch:
        return MemoryKind::managed;
      default:
        return MemoryKind::pageable;
    }
  }
  // There is one array only.
  [[nodiscard]] static bool is_managed() { return host_kind() == MemoryKind::managed; }

  Region host(std::size_t bytes) { return {host_kind(), host_.data(), bytes}; }
  Region device(std::size_t bytes) {
    return {MemoryKind::device, is_managed() ? host_.data() : device_.data(), bytes};
  }

  std::unique_ptr<ArrayTransfer> transfer_ =
      make_array_transfer(GetParam(), {.threads = 2, .chunk_bytes = std::size_t{1} << 20U});
  Stream stream_{GetParam() == ArrayStrategy::driver_pageable_sync ? StreamKind::legacy
                                                                   : StreamKind::nonblocking};
  Verifier verifier_;
  Buffer host_{host_kind(), most_bytes + canary_bytes};
  Buffer device_{MemoryKind::device, most_bytes + canary_bytes};
};

constexpr std::array<std::size_t, 8> sizes{1,      15,     4096,    49'152,
                                           65'536, 65'537, 524'288, (std::size_t{9} << 20U) - 5};

TEST(AutomaticTransfer, StagesWhereTheDriverSqueezesOrIsSlower) {
  for (const auto& [bytes, is_staged] : {std::pair{49'151U, false},
                                         {49'152U, true},
                                         {65'536U, true},
                                         {65'537U, false},
                                         {524'287U, false},
                                         {524'288U, true},
                                         {1U << 30U, true},
                                         {1U, false}}) {
    EXPECT_EQ(AutomaticTransfer::is_staged_to_device(bytes), is_staged) << bytes;
  }
}

TEST_P(ArrayTransferTest, PutsArraysOnTheDevice) {
  for (const std::size_t bytes : sizes) {
    verifier_.fill(host(bytes), batch_seed(bytes));
    if (!is_managed()) {
      verifier_.poison(device(bytes));
    }
    transfer_->to_device(device(bytes).data, host(bytes).data, bytes, stream_);
    stream_.sync();
    EXPECT_NO_THROW(verifier_.verify_unguarded(device(bytes), batch_seed(bytes))) << bytes;
    if (!is_managed()) {
      EXPECT_NO_THROW(verifier_.verify_canaries(device(bytes)));
    }
  }
}

TEST_P(ArrayTransferTest, BringsArraysBack) {
  for (const std::size_t bytes : sizes) {
    verifier_.fill(device(bytes), batch_seed(bytes));
    if (!is_managed()) {
      verifier_.poison(host(bytes));
    }
    transfer_->to_host(host(bytes).data, device(bytes).data, bytes, stream_);
    stream_.sync();
    EXPECT_NO_THROW(verifier_.verify_unguarded(host(bytes), batch_seed(bytes))) << bytes;
    if (!is_managed()) {
      EXPECT_NO_THROW(verifier_.verify_canaries(host(bytes)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ArrayTransferTest,
    testing::Values(ArrayStrategy::driver_pageable, ArrayStrategy::driver_pageable_sync,
                    ArrayStrategy::driver_pinned, ArrayStrategy::pin_copy,
                    ArrayStrategy::register_in_place, ArrayStrategy::staged_single,
                    ArrayStrategy::staged_double_buffered, ArrayStrategy::staged_parallel,
                    ArrayStrategy::mapped_kernel, ArrayStrategy::managed_prefetch,
                    ArrayStrategy::automatic),
    [](const testing::TestParamInfo<ArrayStrategy>& tested) {
      return std::string(name_of(tested.param, array_strategy_names));
    });

}  // namespace
}  // namespace copybench
