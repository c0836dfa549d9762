// SPDX-License-Identifier: Apache-2.0
// The parts of the simulator that stand alone: its faults, its model, its clock, its staging
// memory, its rows; and when it loads kernels, which a GPU's runtime decides by itself.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "common/cuda/stream.hpp"
#include "common/kernels.hpp"
#include "simulator/fault_plan.hpp"
#include "simulator/model.hpp"
#include "simulator/rows.hpp"
#include "simulator/staging.hpp"
#include "simulator/stream.hpp"

namespace copybench::simulator {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""us;

Fault parse_one(const std::string& text) { return parse_faults(text).at(0); }

template <typename Function>
std::string complaint_of(const Function& function) {
  try {
    (void)function();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Faults, NoneAreNone) { EXPECT_TRUE(parse_faults("").empty()); }

TEST(Faults, AreSeparatedBySemicolons) {
  const auto faults = parse_faults("fail:cudaMalloc:2;hang:cudaFree:1");
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_EQ(faults[0].kind, FaultKind::fail);
  EXPECT_EQ(faults[0].api, "cudaMalloc");
  EXPECT_EQ(faults[0].first, 2U);
  EXPECT_EQ(faults[1].kind, FaultKind::hang);
}

TEST(Faults, OfEveryKind) {
  EXPECT_EQ(parse_one("fail:cudaFree:1").error, cudaErrorUnknown);
  EXPECT_EQ(parse_one("fail:cudaFree:1:cudaErrorInvalidValue").error, cudaErrorInvalidValue);
  EXPECT_EQ(parse_one("lose:cudaFree:1:cudaErrorECCUncorrectable").error,
            cudaErrorECCUncorrectable);
  EXPECT_EQ(parse_one("trap:cudaLaunchKernel:1:cudaErrorAssert").error, cudaErrorAssert);
  EXPECT_EQ(parse_one("hang:cudaFree:1").kind, FaultKind::hang);
  EXPECT_EQ(parse_one("corrupt:cudaMemcpy:1").byte, 0);
  EXPECT_EQ(parse_one("corrupt:cudaMemcpy:1:-1").byte, -1);
  EXPECT_DOUBLE_EQ(parse_one("slow:cudaMemcpy:1.5").factor, 1.5);
}

TEST(Faults, StrikeOneCallOrAllFromItOn) {
  const Fault third = parse_one("fail:cudaFree:3");
  EXPECT_FALSE(third.strikes("cudaFree", 2));
  EXPECT_TRUE(third.strikes("cudaFree", 3));
  EXPECT_FALSE(third.strikes("cudaFree", 4));
  EXPECT_FALSE(third.strikes("cudaFreeHost", 3));
  const Fault later = parse_one("fail:cudaFree:3+");
  EXPECT_FALSE(later.strikes("cudaFree", 2));
  EXPECT_TRUE(later.strikes("cudaFree", 3));
  EXPECT_TRUE(later.strikes("cudaFree", 4));
  EXPECT_TRUE(parse_one("slow:cudaFree:2").strikes("cudaFree", 1));
}

TEST(Faults, ThatAreNoneAreNamed) {
  for (const char* const text :
       {"fail", "break:cudaFree:1", "fail:free:1", "fail:cudaFree", "fail:cudaFree:0",
        "fail:cudaFree:-1", "fail:cudaFree:x", "fail:cudaFree:1:cudaErrorNone",
        "fail:cudaFree:1:cudaSuccess", "fail:cudaFree:1:cudaErrorUnknown:1",
        "corrupt:cudaMemcpy:1:x", "slow:cudaFree:0", "slow:cudaFree:-1", "slow:cudaFree:inf",
        "slow:cudaFree:1e300", "slow:cudaFree:2:1", "hang:cudaFree:1:1", "fail:cudaFree:+",
        // These would never strike.
        "fail:cudaNothing:1", "trap:cudaMalloc:1", "corrupt:cudaFree:1"}) {
    const std::string both = std::string("fail:cudaMalloc:1;") + text;
    EXPECT_NE(complaint_of([&] { return parse_faults(both); }).find(text), std::string::npos)
        << text;
  }
}

TEST(Model, DefaultsFileAndEnvironmentInThisOrder) {
  EXPECT_DOUBLE_EQ(read_model({}, "").link_latency_us, Model{}.link_latency_us);
  const std::string file = "# slow\nlink_latency_us = 7\ncall_us=3\n";
  const std::vector<std::string> variables{"PATH=/bin", "COPYBENCH_SIM_CALL_US=4",
                                           "COPYBENCH_SIM_FAULT=hang:cudaFree:1"};
  const Model model = read_model(variables, file);
  EXPECT_DOUBLE_EQ(model.link_latency_us, 7);
  EXPECT_DOUBLE_EQ(model.call_us, 4);
  EXPECT_DOUBLE_EQ(model.devices, 1);
}

TEST(Model, WhatIsWrongIsNamed) {
  const auto of_variable = [](const std::string& variable) {
    return complaint_of([&] { return read_model({variable}, ""); });
  };
  EXPECT_NE(of_variable("COPYBENCH_SIM_SPEED=1").find("SPEED"), std::string::npos);
  for (const char* const value : {"", "x", "-1", "inf", "nan", "1e999", "1 "}) {
    const std::string variable = std::string("COPYBENCH_SIM_CALL_US=") + value;
    EXPECT_NE(of_variable(variable).find(variable), std::string::npos) << variable;
  }
  for (const char* const setting :
       {"PIECE_BYTES=0.5", "POOL_BYTES=0", "DEVICES=1.5", "DEVICES=0", "DEVICES=1e10",
        "QUEUE_DEPTH=0", "LINK_BYTES_PER_S=0", "STAGING_BYTES_PER_S=1", "LINK_LATENCY_US=1e12"}) {
    const std::string variable = std::string("COPYBENCH_SIM_") + setting;
    EXPECT_NE(of_variable(variable).find(variable + ": expected a "), std::string::npos);
  }
  const auto of_file = [](const std::string& text) {
    return complaint_of([&] { return read_model({}, text); });
  };
  EXPECT_NE(of_file("call_us=1\nspeed=1").find("\"speed=1\""), std::string::npos);
  EXPECT_NE(of_file("call_us").find("\"call_us\""), std::string::npos);
  EXPECT_NE(of_file("call_us=soon").find("\"call_us=soon\""), std::string::npos);
}

TEST(Model, DescribesEveryParameter) {
  Model model;
  model.link_bytes_per_s = 5e9;
  const std::string text = describe(model);
  EXPECT_NE(text.find("link_bytes_per_s=5e+09 "), std::string::npos);
  EXPECT_NE(text.find(" queue_depth=1024 "), std::string::npos);
}

TEST(Times, AreWhatTheModelSays) {
  EXPECT_EQ(time_for(4'000'000, 4e9), 1ms);
  EXPECT_EQ(time_for(0, 4e9), 0ms);
  EXPECT_EQ(microseconds(1.5), Nanoseconds(1500));
  EXPECT_EQ(scaled(10us, 1.1), 11us);
}

TEST(Times, ASleepIsNeverTooShort) {
  const TimePoint end = now() + 3ms;
  sleep_until(end);
  EXPECT_GE(now(), end);
}

TEST(Staging, CapturesTheBytes) {
  StagingPool pool;
  std::vector<std::byte> source(3, std::byte{1});
  StagedPiece piece(pool, {.begin = source.data()}, 1, 2);
  source.assign(3, std::byte{2});
  EXPECT_EQ(std::vector(piece.bytes().at(0), piece.bytes().at(2)), std::vector(2, std::byte{1}));
}

std::vector<std::byte> numbers(std::size_t count) {
  std::vector<std::byte> result(count);
  for (std::size_t i = 0; i < count; ++i) {
    result[i] = static_cast<std::byte>(i + 1);
  }
  return result;
}

TEST(Rows, AreMovedWithoutTheirGaps) {
  // Three bytes of every five into rows of two, every four.
  std::vector<std::byte> source = numbers(20);
  std::vector<std::byte> destination(24);
  move({destination.data(), 2, 4}, 0, {source.data(), 3, 5}, 0, 12);
  const auto at = [&](std::size_t i) { return std::to_integer<int>(destination[i]); };
  const std::vector<int> expected{1,  2,  0, 0, 3,  6,  0, 0, 7,  8,  0, 0,
                                  11, 12, 0, 0, 13, 16, 0, 0, 17, 18, 0, 0};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(at(i), expected[i]) << i;
  }
}

TEST(Rows, CanBeMovedInParts) {
  std::vector<std::byte> source = numbers(20);
  std::vector<std::byte> whole(24);
  std::vector<std::byte> in_parts(24);
  move({whole.data(), 2, 4}, 0, {source.data(), 3, 5}, 0, 12);
  for (const std::size_t first : {std::size_t{0}, std::size_t{5}, std::size_t{10}}) {
    move({in_parts.data(), 2, 4}, first, {source.data(), 3, 5}, first,
         std::min<std::size_t>(5, 12 - first));
  }
  EXPECT_EQ(in_parts, whole);
}

TEST(Faults, CanCorruptWhateverWritesBytes) {
  for (const char* const api : {"cudaGraphLaunch", "cudaLaunchKernel", "cudaMemcpy3DAsync",
                                "cudaMemcpyToSymbolAsync", "cudaMemset", "cudaMemsetAsync"}) {
    EXPECT_EQ(parse_one(std::string("corrupt:") + api + ":1:5").byte, 5) << api;
  }
  EXPECT_NE(complaint_of([] { return parse_faults("corrupt:cudaMemPrefetchAsync:1"); }), "");
}

TEST(Faults, CountBytesFromEitherEnd) {
  EXPECT_EQ(corrupted_index(0, 10), 0U);
  EXPECT_EQ(corrupted_index(9, 10), 9U);
  EXPECT_EQ(corrupted_index(-1, 10), 9U);
  EXPECT_EQ(corrupted_index(12, 10), 2U);
}

// Launches the kernel while another stream works; says whether the call waited for it.
bool waits_for_other_streams(std::size_t cold_kernel) {
  const copybench::Stream other(StreamKind::nonblocking);
  const copybench::Stream stream(StreamKind::nonblocking);
  launch_timed_gate(other, 200'000'000);
  launch_cold_kernel(stream, cold_kernel);
  const bool waited = cudaStreamQuery(other.get()) == cudaSuccess;
  stream.sync();
  return waited;
}

TEST(ColdKernels, WaitForNobodyHoweverTheyAreLoaded) {
  (void)setenv("CUDA_MODULE_LOADING", "EAGER", 1);
  EXPECT_FALSE(waits_for_other_streams(0));
  (void)setenv("CUDA_MODULE_LOADING", "LAZY", 1);
  EXPECT_FALSE(waits_for_other_streams(1));
  (void)unsetenv("CUDA_MODULE_LOADING");
}

// Of many, the shortest launch: the others may have been interrupted.
Nanoseconds shortest_launch(std::size_t first_kernel) {
  const copybench::Stream stream(StreamKind::nonblocking);
  Nanoseconds shortest = Nanoseconds::max();
  for (std::size_t i = 0; i < 20; ++i) {
    const TimePoint begin = now();
    launch_cold_kernel(stream, first_kernel + i);
    shortest = std::min<Nanoseconds>(shortest, now() - begin);
    stream.sync();
  }
  return shortest;
}

// A busy machine may slow down twenty launches in a row, but not for ever.
bool can_be_launched_within(Nanoseconds time, std::size_t first_kernel) {
  constexpr int most_attempts = 200;
  for (int i = 0; i < most_attempts; ++i) {
    if (shortest_launch(first_kernel) < time) {
      return true;
    }
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

TEST(ColdKernels, TakeLongerWhenTheyAreLoadedLazilyAndOnlyTheFirstTime) {
  (void)setenv("CUDA_MODULE_LOADING", "LAZY", 1);
  // What loading takes, see docs/simulator.md.
  constexpr Nanoseconds loading = 6us;
  EXPECT_GE(shortest_launch(2), loading);
  EXPECT_TRUE(can_be_launched_within(loading, 2));
  (void)setenv("CUDA_MODULE_LOADING", "EAGER", 1);
  EXPECT_TRUE(can_be_launched_within(loading, 22));
  (void)unsetenv("CUDA_MODULE_LOADING");
}

TEST(Staging, HoldsAPoolAndMakesTheNextPieceWait) {
  StagingPool pool;
  const auto all = static_cast<std::size_t>(model().pool_bytes);
  pool.take(all);
  std::atomic<bool> has_room = false;
  std::thread next([&] {
    pool.take(1);
    has_room = true;
  });
  std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(has_room);
  pool.give_back(all);
  next.join();
  EXPECT_TRUE(has_room);
}

TEST(Staging, APieceLargerThanThePoolFitsWhereNothingElseIs) {
  StagingPool pool;
  pool.take(static_cast<std::size_t>(model().pool_bytes) + 1);
}

}  // namespace
}  // namespace copybench::simulator
