// SPDX-License-Identifier: Apache-2.0
#include "common/staging/parallel_staging.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <malloc.h>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "common/affinity.hpp"
#include "common/cuda/check.hpp"
#include "common/measurement/gate.hpp"
#include "common/measurement/pattern.hpp"
#include "common/measurement/verification.hpp"
#include "common/runtime.hpp"

namespace copybench {

void PrintTo(const ParallelStagingSettings& settings, std::ostream* out) {
  *out << settings.threads << " threads, " << settings.chunks << " chunks of "
       << settings.chunk_bytes << " in pieces of " << settings.piece_bytes;
}

namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

constexpr std::size_t part_size = 65'536;
constexpr std::byte junk{0xee};

class ParallelStagingTest : public testing::TestWithParam<ParallelStagingSettings> {
 protected:
  [[nodiscard]] std::size_t ring_bytes() const {
    return GetParam().chunks * GetParam().chunk_bytes;
  }

  // Sizes around all that a transfer is divided into, and such that others help with both ways.
  [[nodiscard]] std::vector<std::size_t> sizes() const {
    const std::size_t ring = ring_bytes();
    return {
        0,        1,    4096,     part_size - 1, part_size,     part_size + 1,      3 * part_size,
        ring - 1, ring, ring + 1, 2 * ring,      5 * ring + 77, 35 * part_size + 77};
  }

  void prepare_to_device(std::size_t bytes) {
    prepare(bytes);
    fill_pattern(host_, batch_seed(bytes));
    verifier_.poison(device_);
  }
  void prepare_to_host(std::size_t bytes) {
    prepare(bytes);
    verifier_.fill(device_, batch_seed(bytes));
    std::ranges::fill(host_, junk);
  }

  void to_device() { staging_->to_device(device_.data, host_.data(), device_.bytes, stream_); }
  void to_host() { staging_->to_host(host_.data(), device_.data, device_.bytes, stream_); }

  void expect_on_device() {
    EXPECT_NO_THROW(verifier_.verify(device_, batch_seed(device_.bytes)))
        << device_.bytes << " bytes";
  }
  // No synchronise: on return everything is there, and nothing behind it was touched.
  void expect_on_host() {
    const std::span<const std::byte> arrived(host_.data(), device_.bytes);
    EXPECT_EQ(compare_pattern(arrived, batch_seed(device_.bytes)).count, 0U)
        << device_.bytes << " bytes";
    EXPECT_TRUE(std::all_of(host_.begin() + static_cast<std::ptrdiff_t>(device_.bytes), host_.end(),
                            [](std::byte byte) { return byte == junk; }));
  }

  Stream stream_{StreamKind::nonblocking};
  Verifier verifier_;
  Gate gate_;
  std::optional<ParallelStaging> staging_{std::in_place, GetParam()};
  std::optional<Buffer> memory_;
  Region device_{MemoryKind::device, nullptr, 0};
  std::vector<std::byte> host_;

 private:
  void prepare(std::size_t bytes) {
    memory_.emplace(MemoryKind::device, bytes + canary_bytes);
    device_ = {MemoryKind::device, memory_->data(), bytes};
    host_.assign(bytes + canary_bytes, junk);
  }
};

TEST_P(ParallelStagingTest, PutsEverySizeOnTheDevice) {
  for (const std::size_t bytes : sizes()) {
    prepare_to_device(bytes);
    to_device();
    std::ranges::fill(host_, junk);  // the source is the caller's again
    stream_.sync();
    expect_on_device();
  }
}

TEST_P(ParallelStagingTest, BringsEverySizeBack) {
  for (const std::size_t bytes : sizes()) {
    prepare_to_host(bytes);
    to_host();
    expect_on_host();
  }
}

TEST_P(ParallelStagingTest, LaterWorkInTheStreamSeesTheData) {
  prepare_to_device(5 * ring_bytes() + 3);
  to_device();
  const Buffer result(MemoryKind::pinned_mapped, sizeof(Mismatch));
  auto* const mismatch = reinterpret_cast<Mismatch*>(result.data());
  *mismatch = {0, ~std::uint64_t{0}};
  launch_compare_pattern(stream_, device_.data, device_.bytes, batch_seed(device_.bytes),
                         reinterpret_cast<Mismatch*>(result.device_address()));
  stream_.sync();
  EXPECT_EQ(mismatch->count, 0U);
}

TEST_P(ParallelStagingTest, RunsAfterWhatIsInTheStream) {
  prepare_to_host(2 * ring_bytes() + 1);
  verifier_.spoil(device_);
  gate_.close(stream_);
  launch_fill_pattern(stream_, device_.data, device_.bytes, batch_seed(device_.bytes));
  gate_.start_hold(20ms);
  to_host();
  gate_.require_opened_by_host();
  expect_on_host();
}

TEST_P(ParallelStagingTest, ReturnsEarlyBehindABusyQueueWhatFitsIntoTheRing) {
  for (const std::size_t bytes : {std::size_t{1}, part_size, ring_bytes() - 1, ring_bytes()}) {
    prepare_to_device(bytes);
    gate_.close(stream_);
    gate_.start_hold(2s);
    to_device();
    const TimePoint returned = now();
    EXPECT_LT(returned, gate_.open()) << bytes << " bytes";
    std::ranges::fill(host_, junk);
    stream_.sync();
    gate_.require_opened_by_host();
    expect_on_device();
  }
}

TEST_P(ParallelStagingTest, SmallArraysReturnEarlyOneAfterTheOther) {
  constexpr std::size_t array_bytes = 512;
  constexpr std::size_t arrays = 60;
  prepare_to_device(arrays * array_bytes);
  gate_.close(stream_);
  gate_.start_hold(2s);
  for (std::size_t offset = 0; offset < device_.bytes; offset += array_bytes) {
    staging_->to_device(device_.data + offset, host_.data() + offset, array_bytes, stream_);
  }
  const TimePoint returned = now();
  EXPECT_LT(returned, gate_.open());
  std::ranges::fill(host_, junk);
  stream_.sync();
  gate_.require_opened_by_host();
  expect_on_device();
}

// Smaller than a page apart, each begins in another one: they go round the ring several times.
TEST_P(ParallelStagingTest, ManySmallArraysComeBackWhereverTheRingIs) {
  for (std::size_t round = 0; round < 200; ++round) {
    prepare_to_host(1 + round * 331);
    to_host();
    expect_on_host();
    if (round % 7 == 0) {
      prepare_to_device(1 + round * 97);
      to_device();
      stream_.sync();
      expect_on_device();
    }
  }
}

TEST_P(ParallelStagingTest, AChunkOnItsWayToTheDeviceIsNotUsedInAnotherStream) {
  prepare_to_device(ring_bytes());
  const Buffer other(MemoryKind::device, part_size + canary_bytes);
  const Region source{MemoryKind::device, other.data(), part_size};
  verifier_.fill(source, batch_seed(1));
  std::vector<std::byte> arrived(part_size);
  Stream other_stream(StreamKind::nonblocking);
  gate_.close(stream_);
  to_device();
  gate_.start_hold(20ms);
  staging_->to_host(arrived.data(), source.data, part_size, other_stream);
  EXPECT_EQ(compare_pattern(arrived, batch_seed(1)).count, 0U);
  stream_.sync();
  gate_.require_opened_by_host();
  expect_on_device();
}

TEST_P(ParallelStagingTest, NothingToBringBackDoesNotFreeAChunkOnItsWay) {
  prepare_to_device(part_size);
  const Stream other_stream(StreamKind::nonblocking);
  const Buffer other(MemoryKind::device, part_size);
  gate_.close(stream_);
  gate_.start_hold(20ms);
  to_device();
  staging_->to_host(host_.data(), device_.data, 0, other_stream);
  const std::vector<std::byte> others(part_size, junk);
  staging_->to_device(other.data(), others.data(), part_size, other_stream);
  stream_.sync();
  gate_.require_opened_by_host();
  expect_on_device();
}

TEST_P(ParallelStagingTest, DestroyingItWaitsForTheCopiesInFlight) {
  prepare_to_device(ring_bytes());
  gate_.close(stream_);
  to_device();
  std::ranges::fill(host_, junk);
  gate_.start_hold(20ms);
  staging_.reset();
  const TimePoint destroyed = now();
  EXPECT_GT(destroyed, gate_.open());
  stream_.sync();
  gate_.require_opened_by_host();
  expect_on_device();
}

TEST_P(ParallelStagingTest, AFailedCopyIsReportedAndTheNextOneWorks) {
  prepare_to_device(3 * ring_bytes());
  EXPECT_THROW(staging_->to_device(nullptr, host_.data(), device_.bytes, stream_), CudaError);
  EXPECT_THROW(staging_->to_host(host_.data(), nullptr, device_.bytes, stream_), CudaError);
  prepare_to_device(3 * ring_bytes());
  to_device();
  stream_.sync();
  expect_on_device();
}

// The first chunks are on their way then.
TEST_P(ParallelStagingTest, ACopyThatIsRefusedMidwayIsReportedOnceThoseBeforeItHaveEnded) {
  prepare_to_device(ring_bytes() / 2);
  host_.resize(ring_bytes());
  gate_.close(stream_);
  gate_.start_hold(20ms);
  EXPECT_THROW(staging_->to_device(device_.data, host_.data(), ring_bytes(), stream_), CudaError);
  const TimePoint thrown = now();
  const TimePoint opened_at = gate_.open();
  if (GetParam().piece_bytes <= device_.bytes) {
    EXPECT_GT(thrown, opened_at);
  }
  gate_.require_opened_by_host();
  prepare_to_device(3 * ring_bytes());
  to_device();
  stream_.sync();
  expect_on_device();
}

INSTANTIATE_TEST_SUITE_P(Settings, ParallelStagingTest,
                         testing::Values(ParallelStagingSettings{1, part_size, 1, part_size},
                                         ParallelStagingSettings{1, part_size, 2, 4096},
                                         ParallelStagingSettings{2, part_size, 1, 10'000},
                                         ParallelStagingSettings{3, part_size + 100, 2, 777},
                                         ParallelStagingSettings{4, 4 * part_size, 3,
                                                                 2 * part_size},
                                         ParallelStagingSettings{8, 16 * part_size, 2, part_size}));

TEST(ParallelStagingMemory, TenThousandTransfersKeepNothing) {
  // A tenth on the simulator, which takes far longer.
  const int times = simulated_machine() ? 500 : 5000;
  // Large enough for the others to help.
  constexpr std::size_t bytes = 16 * part_size + 77;
  ParallelStaging staging({.threads = 3, .chunk_bytes = 4 * part_size, .chunks = 2});
  const Stream stream(StreamKind::nonblocking);
  const Buffer device(MemoryKind::device, bytes);
  std::vector<std::byte> host(bytes);
  const auto move = [&](int transfers) {
    for (int i = 0; i < transfers; ++i) {
      staging.to_device(device.data(), host.data(), bytes, stream);
      staging.to_host(host.data(), device.data(), bytes, stream);
    }
  };
  const auto free_device_bytes = [] {
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    return free;
  };
  move(10);
  const std::size_t free_before = free_device_bytes();
  const std::size_t used_before = mallinfo2().uordblks;
  move(times);
  EXPECT_GE(free_device_bytes() + (std::size_t{1} << 20U), free_before);
  // The least that malloc gives out is 32 bytes, and somebody else may have asked for a few.
  EXPECT_LT(mallinfo2().uordblks, used_before + std::size_t{32} * static_cast<std::size_t>(times));
}

TEST(ParallelStagingSettings, NothingIsRefused) {
  EXPECT_THROW(ParallelStaging({.threads = 0}), std::invalid_argument);
  EXPECT_THROW(ParallelStaging({.chunk_bytes = 0}), std::invalid_argument);
  EXPECT_THROW(ParallelStaging({.chunks = 0}), std::invalid_argument);
  EXPECT_THROW(ParallelStaging({.piece_bytes = 0}), std::invalid_argument);
  // At once, and not for want of time.
  EXPECT_THROW(ParallelStaging({.chunk_bytes = 1, .chunks = std::size_t{1} << 60U}), CudaError);
  constexpr std::size_t half_of_all = (std::numeric_limits<std::size_t>::max() / 2) + 1;
  EXPECT_THROW(ParallelStaging({.chunk_bytes = half_of_all, .chunks = 2}), std::invalid_argument);
  const std::vector<int> before = allowed_cpus();
  for (const int no_cpu : {-1, 100'000'000}) {
    EXPECT_THROW(ParallelStaging({.cpus = {no_cpu}}), std::invalid_argument);
    EXPECT_NO_THROW(ParallelStaging({.cpus = {no_cpu, before.back()}}));
  }
  EXPECT_EQ(allowed_cpus(), before);
}

}  // namespace
}  // namespace copybench
