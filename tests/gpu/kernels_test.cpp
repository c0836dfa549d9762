// SPDX-License-Identifier: Apache-2.0
// Every kernel against arithmetic of the host.
#include "common/kernels.hpp"

#include <array>
#include <chrono>
#include <limits>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "common/cuda/buffer.hpp"
#include "common/measurement/clock.hpp"
#include "common/measurement/pattern.hpp"
#include "common/measurement/weyl.hpp"
#include "tests/gpu/memory_kinds.hpp"

namespace copybench {
namespace {

using std::chrono_literals::operator""ms;

constexpr std::uint64_t kernel_seed = 0xfedcba9876543210U;
constexpr Mismatch no_mismatch{0, std::numeric_limits<std::uint64_t>::max()};

class Kernels : public testing::Test {
 protected:
  // Puts values on the device, runs a launch on them, and brings them back.
  template <typename Value, typename Launch>
  std::vector<Value> run(std::vector<Value> values, const Launch& launch) {
    const std::size_t bytes = values.size() * sizeof(Value);
    const Buffer memory(MemoryKind::device, bytes);
    copy_any(memory.data(), reinterpret_cast<const std::byte*>(values.data()), bytes);
    launch(reinterpret_cast<Value*>(memory.data()));
    stream_.sync();
    copy_any(reinterpret_cast<std::byte*>(values.data()), memory.data(), bytes);
    return values;
  }

  Mismatch compare(const std::byte* data, std::size_t bytes, std::uint64_t expected_seed) {
    const Buffer result(MemoryKind::device, sizeof(Mismatch));
    Mismatch mismatch = no_mismatch;
    copy_any(result.data(), reinterpret_cast<const std::byte*>(&mismatch), sizeof(mismatch));
    launch_compare_pattern(stream_, data, bytes, expected_seed,
                           reinterpret_cast<Mismatch*>(result.data()));
    stream_.sync();
    copy_any(reinterpret_cast<std::byte*>(&mismatch), result.data(), sizeof(mismatch));
    return mismatch;
  }

  Stream stream_{StreamKind::nonblocking};
};

// One pass of the grid covers 8 MiB of a fill and 1 MiB of a comparison.
constexpr std::size_t fill_pass = std::size_t{8} << 20U;
constexpr std::size_t compare_pass = std::size_t{1} << 20U;

TEST_F(Kernels, FillWritesThePatternAndNothingElse) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{8},
                                  std::size_t{9}, std::size_t{2048}, std::size_t{2055},
                                  fill_pass - 1, fill_pass, fill_pass + 15, 3 * fill_pass + 5}) {
    constexpr std::size_t guard = 16;
    const std::vector<std::byte> filled =
        run(std::vector<std::byte>(bytes + guard, std::byte{0x77}),
            [&](std::byte* data) { launch_fill_pattern(stream_, data, bytes, kernel_seed); });
    EXPECT_EQ(compare_pattern({filled.data(), bytes}, kernel_seed).count, 0U) << bytes;
    EXPECT_EQ(compare_constant({filled.data() + bytes, guard}, std::byte{0x77}).count, 0U) << bytes;
  }
}

TEST_F(Kernels, FillBeginsAtAnyByte) {
  constexpr std::size_t guard = 16;
  for (std::size_t offset = 1; offset < 8; ++offset) {
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{9}, fill_pass / 4}) {
      const std::vector<std::byte> filled = run(
          std::vector<std::byte>(offset + bytes + guard, std::byte{0x77}), [&](std::byte* data) {
            launch_fill_pattern(stream_, data + offset, bytes, kernel_seed);
          });
      EXPECT_EQ(compare_constant({filled.data(), offset}, std::byte{0x77}).count, 0U);
      EXPECT_EQ(compare_pattern({filled.data() + offset, bytes}, kernel_seed).count, 0U) << offset;
      EXPECT_EQ(compare_constant({filled.data() + offset + bytes, guard}, std::byte{0x77}).count,
                0U);
    }
  }
}

// One pass of the grid covers 16 MiB of an aligned copy and 1 MiB of another.
TEST_F(Kernels, CopyMovesTheBytesAndNothingElse) {
  constexpr std::size_t pass = std::size_t{16} << 20U;
  constexpr std::size_t guard = 48;
  for (const std::size_t offset_in : {0U, 1U, 16U}) {
    for (const std::size_t offset_out : {0U, 3U, 32U}) {
      for (const std::size_t bytes :
           {std::size_t{0}, std::size_t{1}, std::size_t{15}, std::size_t{16}, std::size_t{17},
            std::size_t{4095}, compare_pass + 33, offset_in == 0 ? 2 * pass + 5 : pass / 8 + 7}) {
        const Buffer source(MemoryKind::device, offset_in + bytes + 1);
        launch_fill_pattern(stream_, source.data() + offset_in, bytes, kernel_seed);
        const std::vector<std::byte> copied =
            run(std::vector<std::byte>(offset_out + bytes + guard, std::byte{0x77}),
                [&](std::byte* data) {
                  launch_copy(stream_, data + offset_out, source.data() + offset_in, bytes);
                });
        EXPECT_EQ(compare_constant({copied.data(), offset_out}, std::byte{0x77}).count, 0U);
        EXPECT_EQ(compare_pattern({copied.data() + offset_out, bytes}, kernel_seed).count, 0U)
            << bytes << " bytes from " << offset_in << " to " << offset_out;
        EXPECT_EQ(
            compare_constant({copied.data() + offset_out + bytes, guard}, std::byte{0x77}).count,
            0U);
      }
    }
  }
}

TEST_F(Kernels, CompareCountsAndFindsTheFirst) {
  constexpr std::size_t bytes = 3 * compare_pass + 5;
  const Buffer memory(MemoryKind::device, bytes);
  launch_fill_pattern(stream_, memory.data(), bytes, kernel_seed);
  stream_.sync();
  EXPECT_EQ(compare(memory.data(), bytes, kernel_seed).count, 0U);
  EXPECT_EQ(compare(memory.data(), bytes, kernel_seed).first, no_mismatch.first);

  std::uint64_t wrong = 0;
  for (const std::size_t place : {bytes - 1, 2 * compare_pass, compare_pass - 1, std::size_t{0}}) {
    write_byte(memory.data() + place, ~weyl_byte(kernel_seed, place));
    const Mismatch mismatch = compare(memory.data(), bytes, kernel_seed);
    EXPECT_EQ(mismatch.count, ++wrong);
    EXPECT_EQ(mismatch.first, place);
  }
}

TEST_F(Kernels, CompareLooksAtTheBytesThatItIsGivenAlone) {
  const Buffer memory(MemoryKind::device, 16);
  launch_fill_pattern(stream_, memory.data(), 16, kernel_seed);
  stream_.sync();
  write_byte(memory.data() + 9, ~weyl_byte(kernel_seed, 9));
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{9}}) {
    EXPECT_EQ(compare(memory.data(), bytes, kernel_seed).count, 0U) << bytes;
  }
  EXPECT_EQ(compare(memory.data(), 10, kernel_seed).count, 1U);
}

TEST_F(Kernels, CompareAgreesWithTheHost) {
  constexpr std::size_t bytes = 100'003;
  std::vector<std::byte> other(bytes);
  fill_pattern(other, kernel_seed + 1);
  const Mismatch on_host = compare_pattern(other, kernel_seed);
  const Buffer memory(MemoryKind::device, bytes);
  copy_any(memory.data(), other.data(), bytes);
  const Mismatch on_device = compare(memory.data(), bytes, kernel_seed);
  EXPECT_GT(on_device.count, 0U);
  EXPECT_EQ(on_device.count, on_host.count);
  EXPECT_EQ(on_device.first, on_host.first);
}

TEST_F(Kernels, ColdKernelsAreSoMany) {
  for (std::size_t number = 0; number < cold_kernels; ++number) {
    EXPECT_NO_THROW(launch_cold_kernel(stream_, number)) << number;
    EXPECT_NO_THROW(launch_cold_kernel(stream_, number)) << number;
  }
  EXPECT_THROW(launch_cold_kernel(stream_, cold_kernels), std::out_of_range);
  EXPECT_NO_THROW(stream_.sync());
}

TEST_F(Kernels, ScaleMultipliesTheFirstValues) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{255}, std::size_t{256},
                                  std::size_t{257}, std::size_t{100'003}}) {
    std::vector<float> values(count + 300);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = 0.01F * static_cast<float>(i);
    }
    const std::vector<float> scaled =
        run(values, [&](float* data) { launch_scale(stream_, data, count, 2.5F, 100); });
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(scaled[i], i < count ? values[i] * 2.5F : values[i]) << count << ", " << i;
    }
  }
}

TEST_F(Kernels, GrowAddsAndWritesTheSize) {
  const Buffer size(MemoryKind::device, 2 * sizeof(std::int32_t));
  auto* const device_size = reinterpret_cast<std::int32_t*>(size.data());
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{256}, std::size_t{257}, std::size_t{100'003}}) {
    for (const int k : {0, 1, 2}) {
      std::array<std::int32_t, 2> sizes{-1, -1};
      copy_any(size.data(), reinterpret_cast<const std::byte*>(sizes.data()), sizeof(sizes));
      const std::vector<double> grown =
          run(std::vector<double>(count + 300, 0.14),
              [&](double* data) { launch_grow(stream_, data, count, k, 42 + k, device_size, 0); });
      for (std::size_t i = 0; i < grown.size(); ++i) {
        const double increment = 1.0 + (2.0 + k) * static_cast<double>(i);
        ASSERT_EQ(grown[i], i < count ? 0.14 + increment : 0.14) << count << ", " << k << ", " << i;
      }
      copy_any(reinterpret_cast<std::byte*>(sizes.data()), size.data(), sizeof(sizes));
      EXPECT_EQ(sizes, (std::array<std::int32_t, 2>{42 + k, -1}));
    }
  }
}

Nanoseconds time_of(const Stream& stream) {
  const TimePoint begin = now();
  stream.sync();
  return now() - begin;
}

TEST_F(Kernels, GrowStaysAliveForItsTime) {
  const Buffer value(MemoryKind::device, sizeof(double));
  const Buffer size(MemoryKind::device, sizeof(std::int32_t));
  launch_grow(stream_, reinterpret_cast<double*>(value.data()), 1, 0, 5,
              reinterpret_cast<std::int32_t*>(size.data()), 20'000'000);
  const Nanoseconds took = time_of(stream_);
  EXPECT_GT(took, 18ms);
  EXPECT_LT(took, 200ms);
}

TEST_F(Kernels, TimedGateHoldsForItsTime) {
  launch_timed_gate(stream_, 20'000'000);
  const Nanoseconds took = time_of(stream_);
  EXPECT_GT(took, 18ms);
  EXPECT_LT(took, 200ms);
}

TEST_F(Kernels, ScaleBurnsItsTicks) {
  // A multiprocessor's clock is far below 10 GHz.
  (void)run(std::vector<float>(1, 1.0F), [&](float* data) {
    launch_scale(stream_, data, 1, 2.0F, 100'000'000);
    EXPECT_GT(time_of(stream_), 10ms);
  });
}

}  // namespace
}  // namespace copybench
