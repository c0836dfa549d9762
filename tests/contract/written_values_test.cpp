// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include "common/cuda/check.hpp"
#include "common/cuda/copy.hpp"
#include "common/cuda/write_value.hpp"
#include "tests/contract/contract.hpp"
#include "tests/gpu/trap.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""s;

// What a stream memory operation (cuStreamWriteValue32) writes for the host to see.
class WrittenValues : public Contract {
 protected:
  WrittenValues() { *in_host() = 0; }

  void write(std::uint32_t value) const {
    write_value(stream_, reinterpret_cast<std::uint32_t*>(word_.device_address()), value);
  }
  [[nodiscard]] bool has_come(std::uint32_t value) const {
    return std::atomic_ref(*in_host()).load(std::memory_order_acquire) == value;
  }
  [[nodiscard]] bool comes(std::uint32_t value) const {
    return happens_within(5s, [&] { return has_come(value); });
  }

 private:
  [[nodiscard]] std::uint32_t* in_host() const {
    return reinterpret_cast<std::uint32_t*>(word_.data());
  }

  Buffer word_{MemoryKind::pinned_mapped, sizeof(std::uint32_t)};
};

TEST_F(WrittenValues, ComeAfterEarlierWorkAndReturnFirst) {
  documented("cuStreamWriteValue32 enqueues the write in the stream");
  gate_.close(stream_);
  gate_.start_hold(5s);
  write(1);
  const TimePoint returned = now();
  const bool early = happens_within(hold, [&] { return has_come(1); });
  const bool first = returned < gate_.open();
  stream_.sync();
  EXPECT_FALSE(early);
  EXPECT_TRUE(has_come(1));
  observed(std::string(early ? "came behind the closed gate" : "came after the gate") +
           ", the call " + describe_return(first));
}

TEST_F(WrittenValues, ShowWhatWasCopiedBefore) {
  documented("a memory fence comes before the write, as of __threadfence_system");
  constexpr std::size_t bytes = std::size_t{1} << 20U;
  const Buffer device(MemoryKind::device, bytes);
  const Buffer host(MemoryKind::pinned, bytes);
  fill(device, new_byte);
  int stale = 0;
  for (std::uint32_t round = 1; round <= 100; ++round) {
    fill(host, old_byte);
    copy_async(host.data(), device.data(), bytes, Direction::d2h, stream_);
    write(round);
    ASSERT_TRUE(comes(round));
    stale += holds(host, new_byte) ? 0 : 1;
  }
  EXPECT_EQ(stale, 0);
  observed(stale == 0 ? "the copied bytes were there" : "old bytes were there");
}

TEST_F(WrittenValues, NeverComeOnceTheContextIsLost) {
  documented("not documented");
  observed(in_own_process([this] {
    gate_.close(stream_);
    launch_trap(stream_);
    write(1);
    (void)gate_.open();
    (void)cudaStreamSynchronize(stream_.get());
    std::this_thread::sleep_for(hold);
    return std::string(has_come(1) ? "came all the same" : "never came");
  }));
}

TEST_F(WrittenValues, ToNowhereAreRefused) {
  documented("cudaErrorInvalidValue");
  std::string seen = "cudaSuccess";
  try {
    write_value(stream_, nullptr, 1);
  } catch (const CudaError& error) {
    seen = result_of(error.code());
  }
  EXPECT_EQ(seen, "cudaErrorInvalidValue");
  observed(seen);
}

}  // namespace
}  // namespace copybench
