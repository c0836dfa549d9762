// SPDX-License-Identifier: Apache-2.0
#include "common/cuda/write_value.hpp"

#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "common/cuda/buffer.hpp"
#include "common/cuda/check.hpp"
#include "common/cuda/copy.hpp"
#include "common/measurement/gate.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

class WriteValue : public testing::Test {
 protected:
  WriteValue() { *host_word() = 0; }

  [[nodiscard]] std::uint32_t* host_word() const {
    return reinterpret_cast<std::uint32_t*>(word_.data());
  }
  [[nodiscard]] std::uint32_t* device_word() const {
    return reinterpret_cast<std::uint32_t*>(word_.device_address());
  }
  [[nodiscard]] std::uint32_t load() const {
    return std::atomic_ref(*host_word()).load(std::memory_order_acquire);
  }
  // Gives up after a while: a value that never comes is a failure, not a hang.
  [[nodiscard]] bool arrives(std::uint32_t value) const {
    const TimePoint deadline = now() + 10s;
    while (load() != value && now() < deadline) {
      std::this_thread::yield();
    }
    return load() == value;
  }

  Buffer word_{MemoryKind::pinned_mapped, sizeof(std::uint32_t)};
  Stream stream_{StreamKind::nonblocking};
};

TEST_F(WriteValue, ComesInOrderOfTheStream) {
  Gate gate;
  gate.close(stream_);
  write_value(stream_, device_word(), 1);
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(load(), 0U);
  (void)gate.open();
  EXPECT_TRUE(arrives(1));
  stream_.sync();
  gate.require_opened_by_host();
}

TEST_F(WriteValue, IsSeenAfterTheCopiesInFrontOfIt) {
  constexpr std::size_t bytes = std::size_t{1} << 20U;
  const Buffer device(MemoryKind::device, bytes);
  const Buffer host(MemoryKind::pinned, bytes);
  for (std::uint32_t round = 1; round <= 100; ++round) {
    const auto value = static_cast<std::byte>(round);
    check(cudaMemsetAsync(device.data(), static_cast<int>(round), bytes, stream_.get()),
          "cudaMemsetAsync");
    copy_async(host.data(), device.data(), bytes, Direction::d2h, stream_);
    write_value(stream_, device_word(), round);
    ASSERT_TRUE(arrives(round));
    ASSERT_EQ(host.data()[0], value);
    ASSERT_EQ(host.data()[bytes - 1], value);
  }
}

TEST_F(WriteValue, RefusesMemoryThatIsNone) {
  EXPECT_THROW(write_value(stream_, nullptr, 1), CudaError);
  EXPECT_NO_THROW(write_value(stream_, device_word(), 2));
  EXPECT_TRUE(arrives(2));
}

}  // namespace
}  // namespace copybench
