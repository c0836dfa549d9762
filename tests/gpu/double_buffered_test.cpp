// SPDX-License-Identifier: Apache-2.0
#include "common/staging/double_buffered.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "common/cuda/check.hpp"
#include "common/measurement/gate.hpp"
#include "common/measurement/pattern.hpp"
#include "common/measurement/verification.hpp"
#include "tests/gpu/memory_kinds.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

constexpr std::size_t chunk = 65'536;
constexpr std::size_t large = std::size_t{64} << 20U;

class DoubleBuffered : public testing::Test {
 protected:
  // Poisons the destination and fills the source for a copy of `bytes` bytes.
  void prepare(std::size_t bytes) {
    memory_.emplace(MemoryKind::device, bytes + canary_bytes);
    destination_ = {MemoryKind::device, memory_->data(), bytes};
    verifier_.poison(destination_);
    source_.resize(bytes);
    fill_pattern(source_, batch_seed(bytes));
  }

  // The caller may do this as soon as to_device() has returned.
  void overwrite_source() { std::ranges::fill(source_, std::byte{0xee}); }

  void expect_arrived() {
    EXPECT_NO_THROW(verifier_.verify(destination_, batch_seed(destination_.bytes)))
        << destination_.bytes << " bytes";
  }

  void copy_in(DoubleBufferedStaging& staging) {
    staging.to_device(destination_.data, source_.data(), source_.size(), stream_);
  }

  Stream stream_{StreamKind::nonblocking};
  Verifier verifier_;
  Gate gate_;
  std::optional<Buffer> memory_;
  Region destination_{MemoryKind::device, nullptr, 0};
  std::vector<std::byte> source_;
};

TEST_F(DoubleBuffered, DeliversEverySizeAroundTheChunk) {
  DoubleBufferedStaging staging(chunk);
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{1}, chunk - 1, chunk, chunk + 1, 2 * chunk - 1, 2 * chunk,
        2 * chunk + 5, 3 * chunk, 17 * chunk + 1}) {
    prepare(bytes);
    copy_in(staging);
    overwrite_source();
    stream_.sync();
    expect_arrived();
  }
}

TEST_F(DoubleBuffered, DeliversALargeArrayThroughChunksOfTheDefaultSize) {
  DoubleBufferedStaging staging;
  for (const std::size_t bytes : {large, large + 3}) {
    prepare(bytes);
    copy_in(staging);
    overwrite_source();
    stream_.sync();
    expect_arrived();
  }
}

TEST_F(DoubleBuffered, ChunksOfOneByteWork) {
  DoubleBufferedStaging staging(1);
  prepare(9);
  copy_in(staging);
  overwrite_source();
  stream_.sync();
  expect_arrived();
}

TEST_F(DoubleBuffered, NeedsNoWaitBetweenCopies) {
  DoubleBufferedStaging staging(chunk);
  constexpr std::size_t copies = 200;
  std::vector<std::size_t> ends{0};
  for (std::size_t i = 0; i < copies; ++i) {
    ends.push_back(ends.back() + 1 + i * 7919 % (3 * chunk));
  }
  prepare(ends.back());
  std::vector<std::byte> scratch(3 * chunk);
  for (std::size_t i = 0; i < copies; ++i) {
    const std::size_t part = ends[i + 1] - ends[i];
    std::memcpy(scratch.data(), source_.data() + ends[i], part);
    staging.to_device(destination_.data + ends[i], scratch.data(), part, stream_);
    std::fill_n(scratch.begin(), part, std::byte{0xee});
  }
  stream_.sync();
  expect_arrived();
}

TEST_F(DoubleBuffered, ReturnsEarlyBehindABusyQueueWhatFitsIntoTheChunks) {
  DoubleBufferedStaging staging(chunk);
  for (const std::size_t bytes : {std::size_t{1}, chunk, 2 * chunk}) {
    prepare(bytes);
    gate_.close(stream_);
    gate_.start_hold(2s);
    copy_in(staging);
    const TimePoint returned = now();
    EXPECT_FALSE(stream_.view().is_done());
    EXPECT_LT(returned, gate_.open()) << bytes << " bytes";
    overwrite_source();
    stream_.sync();
    gate_.require_opened_by_host();
    expect_arrived();
  }
}

TEST_F(DoubleBuffered, WaitsForTheQueueWithMoreThanTheChunksHold) {
  DoubleBufferedStaging staging(chunk);
  prepare(2 * chunk + 1);
  gate_.close(stream_);
  gate_.start_hold(20ms);
  copy_in(staging);
  const TimePoint returned = now();
  EXPECT_GT(returned, gate_.open());
  overwrite_source();
  stream_.sync();
  gate_.require_opened_by_host();
  expect_arrived();
}

// The first chunk is on its way then.
TEST_F(DoubleBuffered, ACopyThatIsRefusedMidwayIsReportedOnceThoseBeforeItHaveEnded) {
  DoubleBufferedStaging staging(chunk);
  prepare(chunk);
  source_.resize(2 * chunk);
  gate_.close(stream_);
  gate_.start_hold(20ms);
  EXPECT_THROW(copy_in(staging), CudaError);
  const TimePoint thrown = now();
  EXPECT_GT(thrown, gate_.open());
  gate_.require_opened_by_host();
  prepare(5 * chunk);
  copy_in(staging);
  stream_.sync();
  expect_arrived();
}

TEST_F(DoubleBuffered, DestroyingItWaitsForTheCopiesInFlight) {
  prepare(2 * chunk);
  std::optional<DoubleBufferedStaging> staging(std::in_place, chunk);
  gate_.close(stream_);
  copy_in(*staging);
  overwrite_source();
  gate_.start_hold(20ms);
  staging.reset();
  const TimePoint destroyed = now();
  EXPECT_GT(destroyed, gate_.open());
  // The copies themselves are over, not only the gate.
  EXPECT_TRUE(stream_.view().is_done());
  stream_.sync();
  gate_.require_opened_by_host();
  expect_arrived();
}

TEST_F(DoubleBuffered, LaterWorkInTheStreamSeesTheData) {
  DoubleBufferedStaging staging(chunk);
  prepare(5 * chunk + 3);
  copy_in(staging);
  overwrite_source();
  const Buffer result(MemoryKind::pinned_mapped, sizeof(Mismatch));
  auto* const mismatch = reinterpret_cast<Mismatch*>(result.data());
  *mismatch = {0, ~std::uint64_t{0}};
  launch_compare_pattern(stream_, destination_.data, destination_.bytes,
                         batch_seed(destination_.bytes),
                         reinterpret_cast<Mismatch*>(result.device_address()));
  stream_.sync();
  EXPECT_EQ(mismatch->count, 0U);
}

}  // namespace
}  // namespace copybench
