// SPDX-License-Identifier: Apache-2.0
#include "common/chaining/dependent_copier.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "common/cuda/check.hpp"
#include "common/measurement/gate.hpp"
#include "common/named_enum.hpp"
#include "tests/gpu/memory_kinds.hpp"

namespace copybench {
namespace {

// No multiple of the size of a double.
struct Twelve {
  std::int32_t a;
  std::int32_t b;
  std::int32_t c;
  bool operator==(const Twelve&) const = default;
};

class DependentCopierTest : public testing::Test {
 protected:
  static constexpr std::size_t room = 100;

  void set_size(std::int32_t size) {
    copy_any(device_size_.data(), reinterpret_cast<const std::byte*>(&size), sizeof(size));
  }

  // Copies `size` of the values, and expects them and nothing else.
  template <typename T>
  void copy(DependentCopier& copier, const std::vector<T>& values, const T& untouched,
            std::int32_t size) {
    copy_any(device_data_.data(), reinterpret_cast<const std::byte*>(values.data()),
             values.size() * sizeof(T));
    set_size(size);
    const std::span<T> host(reinterpret_cast<T*>(host_data_.data()), room);
    std::ranges::fill(host, untouched);
    copier.start(device_size(), reinterpret_cast<const T*>(device_data_.data()), host);
    const std::span<T> arrived = copier.finish<T>();
    ASSERT_EQ(arrived.data(), host.data());
    ASSERT_EQ(arrived.size(), static_cast<std::size_t>(size));
    EXPECT_TRUE(std::ranges::equal(arrived, std::span(values).first(arrived.size())));
    const auto rest = host.subspan(arrived.size());
    EXPECT_EQ(std::ranges::count(rest, untouched), static_cast<std::ptrdiff_t>(rest.size()));
  }

  [[nodiscard]] const std::int32_t* device_size() const {
    return reinterpret_cast<const std::int32_t*>(device_size_.data());
  }

  Buffer device_size_{MemoryKind::device, sizeof(std::int32_t)};
  Buffer device_data_{MemoryKind::device, room * sizeof(Twelve)};
  Buffer host_data_{MemoryKind::pinned, room * sizeof(Twelve)};
  Stream stream_{StreamKind::nonblocking};
};

TEST_F(DependentCopierTest, CopiesElementsOfAnySize) {
  DependentCopier copier(stream_);
  std::vector<float> floats(room);
  std::iota(floats.begin(), floats.end(), 1.0F);
  std::vector<Twelve> twelves;
  std::vector<char> chars(room, 'x');
  for (std::int32_t i = 0; std::cmp_less(i, room); ++i) {
    twelves.push_back({i, i + 1, i + 2});
  }
  for (const std::int32_t size : {7, 0, 1, 100, 3}) {
    copy(copier, floats, -1.0F, size);
    copy(copier, twelves, {-1, -1, -1}, size);
    copy(copier, chars, '-', size);
  }
}

TEST_F(DependentCopierTest, EveryExactStrategyWillDo) {
  std::vector<float> floats(room);
  std::iota(floats.begin(), floats.end(), 1.0F);
  for (const ChainStrategy strategy :
       {ChainStrategy::stream_sync, ChainStrategy::event_sync_blocking,
        ChainStrategy::host_func_worker, ChainStrategy::event_poll_worker,
        ChainStrategy::mapped_size_worker, ChainStrategy::mapped_size_spin,
        ChainStrategy::offloaded_sync, ChainStrategy::graph_update, recommended_strategy}) {
    DependentCopier copier(stream_, strategy);
    SCOPED_TRACE(name_of(strategy, chain_strategy_names));
    copy(copier, floats, -1.0F, 5);
    copy(copier, floats, -1.0F, 100);
  }
}

TEST_F(DependentCopierTest, WhereTheDeviceDecidesElementsAreDoubles) {
  DependentCopier copier(stream_, ChainStrategy::device_copy_kernel);
  std::vector<double> doubles(room);
  std::iota(doubles.begin(), doubles.end(), 1.0);
  copy(copier, doubles, -1.0, 5);
  const std::span<float> host(reinterpret_cast<float*>(host_data_.data()), room);
  EXPECT_THROW(
      copier.start(device_size(), reinterpret_cast<const float*>(device_data_.data()), host),
      std::invalid_argument);
  copy(copier, doubles, -1.0, 50);
}

TEST_F(DependentCopierTest, AGuessBeginsWithTheLastSize) {
  DependentCopier copier(stream_, ChainStrategy::speculative_top_up);
  std::vector<float> floats(room);
  std::iota(floats.begin(), floats.end(), 1.0F);
  copy(copier, floats, -1.0F, 5);
  copy(copier, floats, -1.0F, 50);
  set_size(8);
  const std::span<float> host(reinterpret_cast<float*>(host_data_.data()), room);
  std::ranges::fill(host, -1.0F);
  copier.start(device_size(), reinterpret_cast<const float*>(device_data_.data()), host);
  EXPECT_EQ(copier.finish<float>().size(), 8U);
  EXPECT_EQ(std::ranges::count(host, -1.0F), 50);
}

TEST_F(DependentCopierTest, StartDoesNotWaitForTheProducer) {
  DependentCopier copier(stream_);
  Gate gate;
  set_size(5);
  gate.close(stream_);
  const std::span<float> host(reinterpret_cast<float*>(host_data_.data()), room);
  // The gate is this thread's to open: waiting for it would end by its timeout.
  copier.start(device_size(), reinterpret_cast<const float*>(device_data_.data()), host);
  (void)gate.open();
  EXPECT_EQ(copier.finish<float>().size(), 5U);
  gate.require_opened_by_host();
}

TEST_F(DependentCopierTest, RefusesMoreThanThereIsRoomForWhateverTheStrategy) {
  int driver_version = 0;
  ASSERT_EQ(cudaDriverGetVersion(&driver_version), cudaSuccess);
  const std::span<double> host(reinterpret_cast<double*>(host_data_.data()), 10);
  for (std::size_t i = 0; i < chain_strategy_names.size(); ++i) {
    const auto strategy = static_cast<ChainStrategy>(i);
    if (!is_correct(strategy) || strategy == ChainStrategy::known_size ||
        lacks_chain_strategy(strategy, driver_version)) {
      continue;
    }
    SCOPED_TRACE(chain_strategy_names.at(i));
    DependentCopier copier(stream_, strategy);
    for (const std::int32_t size : {11, -1}) {
      set_size(size);
      copier.start(device_size(), reinterpret_cast<const double*>(device_data_.data()), host);
      EXPECT_THROW((void)copier.finish<double>(), std::out_of_range);
      // Nor does asking once more give elements that are not there.
      EXPECT_THROW((void)copier.finish<double>(), std::out_of_range);
    }
    set_size(3);
    copier.start(device_size(), reinterpret_cast<const double*>(device_data_.data()), host);
    EXPECT_EQ(copier.finish<double>().size(), 3U);
  }
}

TEST_F(DependentCopierTest, HasNoElementsBeforeAnyStart) {
  DependentCopier copier(stream_);
  EXPECT_THROW((void)copier.finish<double>(), std::logic_error);
  EXPECT_THROW((void)copier.finish<char>(), std::logic_error);
}

TEST_F(DependentCopierTest, HasNoElementsAfterAStartThatWasRefused) {
  DependentCopier copier(stream_, ChainStrategy::device_copy_kernel);
  const std::vector<double> doubles(room, 3.0);
  copy(copier, doubles, -1.0, 5);
  const std::span<float> host(reinterpret_cast<float*>(host_data_.data()), room);
  EXPECT_THROW(
      copier.start(device_size(), reinterpret_cast<const float*>(device_data_.data()), host),
      std::invalid_argument);
  EXPECT_THROW((void)copier.finish<float>(), std::invalid_argument);
  EXPECT_THROW((void)copier.finish<double>(), std::invalid_argument);
  copy(copier, doubles, -1.0, 7);
}

TEST_F(DependentCopierTest, HasNoElementsAfterACopyThatWasRefusedHoweverOftenItIsAsked) {
  DependentCopier copier(stream_);
  set_size(5);
  const std::span<double> host(reinterpret_cast<double*>(host_data_.data()), room);
  copier.start(device_size(), static_cast<const double*>(nullptr), host);
  EXPECT_THROW((void)copier.finish<double>(), CudaError);
  EXPECT_THROW((void)copier.finish<double>(), CudaError);
  copy(copier, std::vector<double>(room, 3.0), -1.0, 5);
}

TEST_F(DependentCopierTest, RefusesElementsOfAnotherSizeThanWereStarted) {
  DependentCopier copier(stream_);
  set_size(3);
  const std::span<float> host(reinterpret_cast<float*>(host_data_.data()), room);
  copier.start(device_size(), reinterpret_cast<const float*>(device_data_.data()), host);
  EXPECT_THROW((void)copier.finish<double>(), std::invalid_argument);
  EXPECT_EQ(copier.finish<float>().size(), 3U);
}

TEST_F(DependentCopierTest, RefusesStrategiesThatDoNotDoIt) {
  for (const ChainStrategy strategy :
       {ChainStrategy::stale_arguments, ChainStrategy::callback_illegal,
        ChainStrategy::known_size}) {
    EXPECT_THROW(DependentCopier(stream_, strategy), std::invalid_argument);
  }
}

}  // namespace
}  // namespace copybench
